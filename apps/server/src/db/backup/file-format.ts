import type { TableDigest } from './rows.ts';

/**
 * A backup is gzipped text in lines: a Head, then for each table a TableHead, its rows and their
 * Proof, and a Foot at the end. Rows are JSON arrays, everything else is an object.
 */
export const FORMAT = 'linekeeper-backup';
export const FORMAT_VERSION = 1;

export interface Head {
  format: typeof FORMAT;
  version: number;
  created_at: string;
  /** Migrations of the source database in order; a restore begins with the same schema. */
  migrations: string[];
}

export interface TableHead {
  table: string;
  columns: string[];
}

export interface Foot {
  tables: number;
  rows: number;
  /** Hash of all preceding lines. */
  sha256: string;
}

export interface Summary {
  head: Head;
  foot: Foot;
  tables: (TableHead & { proof: TableDigest })[];
}
