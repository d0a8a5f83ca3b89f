import type { Proof } from './rows.ts';

/**
 * A backup is gzip'd text in lines: a Head, then for every table a TableHead, its rows and their
 * Proof, and a Foot at the very end. A row is a JSON array, everything else an object.
 */
export const FORMAT = 'linekeeper-backup';
export const FORMAT_VERSION = 1;

export interface Head {
  format: typeof FORMAT;
  version: number;
  created_at: string;
  /** Of the database that was read, in order: a restore begins with the same schema. */
  migrations: string[];
}

export interface TableHead {
  table: string;
  columns: string[];
}

export interface Foot {
  tables: number;
  rows: number;
  /** Over all lines before this one. */
  sha256: string;
}

export interface Summary {
  head: Head;
  foot: Foot;
  tables: (TableHead & { proof: Proof })[];
}
