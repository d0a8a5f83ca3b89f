import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export type Account = {
  username: string;
  // In the clear: both card servers read it in the clear from their files.
  password: string;
  /** YYYY-MM-DD; the account is valid through this day. */
  expiry_date: string;
};

export type Snapshot = {
  accounts: Account[];
  /** Deleted names that may still stand in a rendered file. */
  departed: string[];
  departedThrough: number;
};

export type Store = ReturnType<typeof openStore>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS accounts (
    username TEXT PRIMARY KEY,
    password TEXT NOT NULL,
    expiry_date TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS departed (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL
  ) STRICT;
`;

/**
 * Opens a database only the agent's own user can read, also where the umask is wider: it holds
 * passwords. An existing file is never opened but by SQLite: closing any other descriptor of it
 * would drop the locks this process holds on it.
 */
export function openPrivately(path: string): DatabaseSync {
  if (existsSync(path)) chmodSync(path, 0o600);
  else closeSync(openSync(path, 'ax', 0o600));
  return new DatabaseSync(path);
}

export function openStore(path: string) {
  const db = openPrivately(path);
  // FULL makes each commit wait for the disk: what was acknowledged survives a power cut too.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  db.exec(SCHEMA);

  const insert = db.prepare(
    'INSERT INTO accounts (username, password, expiry_date) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const update = db.prepare(
    `UPDATE accounts SET password = coalesce(?, password), expiry_date = coalesce(?, expiry_date)
      WHERE username = ?`,
  );
  const erase = db.prepare('DELETE FROM accounts WHERE username = ?');
  const depart = db.prepare('INSERT INTO departed (username) VALUES (?)');
  const find = db.prepare('SELECT 1 FROM accounts WHERE username = ?');
  const list = db.prepare('SELECT username, password, expiry_date FROM accounts ORDER BY username');
  const listAfter = db.prepare(
    'SELECT username, expiry_date FROM accounts WHERE username > ? ORDER BY username LIMIT ?',
  );
  const listDeparted = db.prepare('SELECT id, username FROM departed ORDER BY id');
  const forget = db.prepare('DELETE FROM departed WHERE id <= ?');

  return {
    has(username: string): boolean {
      return find.get(username) !== undefined;
    },

    /** False where the name is taken. */
    add(account: Account): boolean {
      return insert.run(account.username, account.password, account.expiry_date).changes === 1;
    },

    /** False where there is no such account. */
    edit(username: string, changes: { password?: string; expiry_date?: string }): boolean {
      const { password = null, expiry_date = null } = changes;
      return update.run(password, expiry_date, username).changes === 1;
    },

    /** False where there is no such account. */
    remove(username: string): boolean {
      db.exec('BEGIN IMMEDIATE');
      try {
        const removed = erase.run(username).changes === 1;
        if (removed) depart.run(username);
        db.exec('COMMIT');
        return removed;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },

    /** Up to `limit` accounts behind a name, in the order of names. */
    listAfter(username: string, limit: number): Omit<Account, 'password'>[] {
      return listAfter.all(username, limit) as Omit<Account, 'password'>[];
    },

    snapshot(): Snapshot {
      const departed = listDeparted.all() as { id: number; username: string }[];
      return {
        accounts: list.all() as Account[],
        departed: departed.map(({ username }) => username),
        departedThrough: departed.at(-1)?.id ?? 0,
      };
    },

    forgetDeparted(through: number): void {
      forget.run(through);
    },

    close(): void {
      db.close();
    },
  };
}
