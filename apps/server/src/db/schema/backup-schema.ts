import type { Moment, OptionalMoment } from './column-types.ts';

/** What became of a scheduled backup. File, bytes and sha256 are null if it failed. */
export interface BackupRunsTable {
  due_at: Moment;
  state: 'made' | 'failed';
  finished_at: Moment;
  /** The last attempt that failed, also where a later one did not. */
  failed_at: OptionalMoment;
  file: string | null;
  bytes: number | null;
  sha256: string | null;
}
