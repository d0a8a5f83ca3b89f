import type { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS left_behind (
    file TEXT NOT NULL,
    -- Device and number of the file that took the place, which is known before it is put there.
    made TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (file, made)
  ) STRICT;
`;

export type ReplacedFileRecords = ReturnType<typeof openReplacedFileRecords>;

/**
 * The known state of the files that the agent has replaced, for its next start after a kill. The state is stored
 * before each rename, beside the state before it, because a kill may come before or after the rename.
 */
export function openReplacedFileRecords(db: DatabaseSync) {
  db.exec(SCHEMA);
  const clear = db.prepare('DELETE FROM left_behind WHERE file = ? AND made <> ?');
  const put = db.prepare(
    'INSERT INTO left_behind VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state',
  );
  const find = db.prepare(
    'SELECT state FROM left_behind WHERE file = ? ORDER BY made = ? DESC, rowid DESC LIMIT 1',
  );

  return {
    /** `current` is the file that has the name until the rename. */
    save(file: string, current: string, made: string, state: string): void {
      // Written data survives a kill, which is all that is needed: a sync would cost each change as much as storing
      // it.
      db.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
      try {
        clear.run(file, current);
        put.run(file, made, state);
        db.exec('COMMIT');
      } finally {
        if (db.isTransaction) db.exec('ROLLBACK');
        db.exec('PRAGMA synchronous = FULL');
      }
    },

    /** The state that was stored with this file, else the last one. */
    of(file: string, current: string): string | undefined {
      const state = find.get(file, current)?.state;
      return state === undefined ? undefined : String(state);
    },
  };
}
