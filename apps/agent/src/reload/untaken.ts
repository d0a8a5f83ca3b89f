import type { DatabaseSync } from 'node:sqlite';
import { openSql } from '../sql.ts';

const MAX_REPORTED_NAMES = 20;

export type Untaken = ReturnType<typeof openUntaken>;

const TABLE = `
  CREATE TABLE IF NOT EXISTS untaken (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL,
    -- The customer cannot connect until the card server has read this.
    keeps_out INTEGER NOT NULL,
    at TEXT NOT NULL,
    -- The customer was deleted, and connects until the card server has read this.
    lets_in INTEGER NOT NULL DEFAULT 0
  ) STRICT;
`;

// Temporary triggers, so that an agent of another version can still write the accounts. They run in the transaction
// of each change, so that no kill comes in between.
const TRIGGERS = `
  CREATE TEMP TRIGGER untaken_added AFTER INSERT ON main.accounts BEGIN
    INSERT INTO untaken (username, keeps_out, at) VALUES (NEW.username, 1, agent_moment());
  END;
  CREATE TEMP TRIGGER untaken_changed AFTER UPDATE OF password, expiry_date ON main.accounts
    WHEN OLD.password <> NEW.password OR OLD.expiry_date <> NEW.expiry_date
  BEGIN
    INSERT INTO untaken (username, keeps_out, at) VALUES (
      NEW.username,
      OLD.password <> NEW.password OR OLD.expiry_date < agent_today(),
      agent_moment()
    );
  END;
  CREATE TEMP TRIGGER untaken_removed AFTER DELETE ON main.accounts BEGIN
    INSERT INTO untaken (username, keeps_out, at, lets_in)
      VALUES (OLD.username, 0, agent_moment(), OLD.expiry_date >= agent_today());
  END;
`;

/** Keeps the changes of accounts that the card server has not been seen to read. */
export function openUntaken(
  db: DatabaseSync,
  { now, today, isAsked }: { now(): Date; today(): string; isAsked: boolean },
) {
  db.exec(TABLE);
  // Without a way to ask the card server, nothing could ever be taken.
  if (!isAsked) db.exec('DELETE FROM untaken');
  db.function('agent_moment', () => now().toISOString());
  db.function('agent_today', () => today());
  if (isAsked) db.exec(TRIGGERS);

  const sql = openSql(db);
  const namesOf = (found: { username?: unknown }[]) =>
    found.map(({ username }) => String(username));

  return {
    /** The newest change; a file that is written later holds all changes up to it. */
    last: () => Number(sql.get`SELECT coalesce(max(id), 0) AS id FROM untaken`?.id),

    namesThrough: (id: number, limit: number) =>
      namesOf(
        sql.all`SELECT username FROM untaken WHERE id <= ${id} GROUP BY username LIMIT ${limit}`,
      ),

    namesAfter: (id: number) =>
      new Set(namesOf(sql.all`SELECT username FROM untaken WHERE id > ${id}`)),

    /** The card server has read everything up to this change. */
    forgetThrough: (id: number): void => void sql.run`DELETE FROM untaken WHERE id <= ${id}`,

    waiting() {
      const { waiting, since } =
        sql.get`SELECT count(*) AS waiting, min(at) AS since FROM untaken` ?? {};
      const keptOut = namesOf(sql.all`
        SELECT username FROM untaken JOIN accounts USING (username)
          WHERE keeps_out = 1 GROUP BY username ORDER BY min(id)`);
      const letIn = namesOf(sql.all`
        SELECT username FROM untaken LEFT JOIN accounts USING (username)
          WHERE lets_in = 1 AND accounts.username IS NULL GROUP BY username ORDER BY min(id)`);
      return {
        waiting: Number(waiting),
        since: since === null ? null : String(since),
        names: keptOut.slice(0, MAX_REPORTED_NAMES),
        cannot_connect: keptOut.length,
        /** Deleted or suspended lines that the card server still lets in. */
        still_connect: letIn.length,
        still_names: letIn.slice(0, MAX_REPORTED_NAMES),
      };
    },
  };
}
