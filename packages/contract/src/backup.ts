/** POST: the whole database as a file, for administrators, where the panel alone can read it. */
export const BACKUP_PATH = '/api/backup';
