/**
 * POST returns the whole database as a file. Administrators only; needed for the embedded database, which no other
 * process can open.
 */
export const BACKUP_PATH = '/api/backup';
