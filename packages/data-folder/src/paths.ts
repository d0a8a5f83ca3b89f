import { join } from 'node:path';

export const databaseFolder = (folder: string) => join(folder, 'pgdata');
/** The list of the database's files with their sizes. */
export const fileList = (folder: string) => join(folder, 'pgdata.files.json');
/** Prefix for the name of an incomplete new database, which is renamed once complete. */
export const UNFINISHED = 'pgdata.new-';
