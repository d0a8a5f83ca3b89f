import * as z from 'zod';

/**
 * A backup is gzipped text in lines: a Head, then for each table a TableHead, its rows and their
 * Proof, and a Foot at the end. Rows are JSON arrays, everything else is an object.
 */
export const FORMAT = 'linekeeper-backup';
export const FORMAT_VERSION = 1;

export const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  created_at: z.iso.datetime(),
  /** Migrations of the source database in order; a restore begins with the same schema. */
  migrations: z.array(z.string()).min(1),
});
export const tableHeadSchema = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
/** Number of rows and SHA-256 over them in key order; equal for tables with equal content. */
export const proofSchema = z.object({ rows: z.number(), sha256: z.string() });
/** The last line of a backup. Its hash covers all lines before it. */
export const footSchema = z.object({ tables: z.number(), rows: z.number(), sha256: z.string() });

export type Head = z.infer<typeof headSchema>;
export type TableHead = z.infer<typeof tableHeadSchema>;
export type TableDigest = z.infer<typeof proofSchema>;
export type Foot = z.infer<typeof footSchema>;

export interface Summary {
  head: Head;
  foot: Foot;
  tables: (TableHead & { proof: TableDigest })[];
}
