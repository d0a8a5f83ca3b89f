import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export type Account = {
  username: string;
  // In plain text, as both card servers need it in their files.
  password: string;
  /** YYYY-MM-DD; the account is valid through this day. */
  expiry_date: string;
};

export type Snapshot = {
  accounts: Account[];
  /** Deleted names that may still be in a rendered file. */
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
  CREATE TABLE IF NOT EXISTS instance (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    id TEXT NOT NULL
  ) STRICT;
`;

/**
 * Opens a database that only the agent's user can read, whatever the umask, because it holds
 * passwords. An existing file is opened by SQLite only: closing another descriptor of it would drop
 * this process's POSIX locks.
 */
export function openPrivately(path: string): DatabaseSync {
  if (existsSync(path)) chmodSync(path, 0o600);
  else closeSync(openSync(path, 'ax', 0o600));
  return new DatabaseSync(path);
}

export function openStore(path: string) {
  const db = openPrivately(path);
  // EXCLUSIVE keeps other processes out, including readers, until this one ends. FULL syncs each
  // commit to disk, so that acknowledged changes survive a power failure.
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
    db.exec('PRAGMA synchronous = FULL;');
    db.exec(SCHEMA);
    // Stored in the same database as the accounts, so that both are lost together.
    db.prepare('INSERT INTO instance VALUES (1, ?) ON CONFLICT DO NOTHING').run(randomUUID());
  } catch (error) {
    db.close();
    throw error;
  }

  const insert = db.prepare(
    'INSERT INTO accounts (username, password, expiry_date) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const update = db.prepare(
    `UPDATE accounts SET password = coalesce(?, password), expiry_date = coalesce(?, expiry_date)
      WHERE username = ?`,
  );
  const erase = db.prepare('DELETE FROM accounts WHERE username = ?');
  const depart = db.prepare('INSERT INTO departed (username) VALUES (?)');
  const find = db.prepare(
    'SELECT username, password, expiry_date FROM accounts WHERE username = ?',
  );
  const list = db.prepare('SELECT username, password, expiry_date FROM accounts ORDER BY username');
  const listAfter = db.prepare(
    'SELECT username, expiry_date FROM accounts WHERE username > ? ORDER BY username LIMIT ?',
  );
  const listDeparted = db.prepare('SELECT id, username FROM departed ORDER BY id');
  const forget = db.prepare('DELETE FROM departed WHERE id <= ?');

  return {
    db,

    /**
     * Created with the accounts: a different id means that these are not the same accounts as
     * before.
     */
    instance: String(db.prepare('SELECT id FROM instance').get()?.id),

    has(username: string): boolean {
      return find.get(username) !== undefined;
    },

    find(username: string): Account | undefined {
      return find.get(username) as Account | undefined;
    },

    /** False if the name is taken. */
    add(account: Account): boolean {
      return insert.run(account.username, account.password, account.expiry_date).changes === 1;
    },

    /** False if the account does not exist. */
    edit(username: string, changes: { password?: string; expiry_date?: string }): boolean {
      const { password = null, expiry_date = null } = changes;
      return update.run(password, expiry_date, username).changes === 1;
    },

    /** False if the account does not exist. */
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

    /** Up to `limit` accounts with names after `username`, ordered by name. */
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
