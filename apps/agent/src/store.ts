import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openRowRecords, type RowRecord } from './row-records.ts';

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

  const rows = openRowRecords(db);
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
  const count = db.prepare('SELECT count(*) AS count FROM accounts');
  const listAfter = db.prepare(
    'SELECT username, expiry_date FROM accounts WHERE username > ? ORDER BY username LIMIT ?',
  );
  const listDeparted = db.prepare('SELECT id, username FROM departed ORDER BY id');
  const forget = db.prepare('DELETE FROM departed WHERE id <= ?');

  function inTransaction<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      rows.reload();
      throw error;
    }
  }

  function findAccount(username: string): Account | undefined {
    return find.get(username) as Account | undefined;
  }

  function addAccount(account: Account): boolean {
    const { username, password, expiry_date } = account;
    if (insert.run(username, password, expiry_date).changes !== 1) return false;
    rows.begin(username, password);
    return true;
  }

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

    find: findAccount,

    count: (): number => Number(count.get()?.count),

    /** False if the name is taken. */
    add(account: Account): boolean {
      return inTransaction(() => addAccount(account));
    },

    /** False if the account does not exist. */
    edit(username: string, changes: { password?: string; expiry_date?: string }): boolean {
      const { password = null, expiry_date = null } = changes;
      return inTransaction(() => {
        const before = findAccount(username);
        if (!before) return false;
        if (password !== null && password !== before.password) {
          rows.changePassword(username, before.password);
        }
        return update.run(password, expiry_date, username).changes === 1;
      });
    },

    /** False if the account does not exist. */
    remove(username: string): boolean {
      return inTransaction(() => {
        const account = findAccount(username);
        if (!account) return false;
        erase.run(username);
        rows.end(username, account.password, Number(depart.run(username).lastInsertRowid));
        return true;
      });
    },

    /** Makes rows of the operator's ours, with what they say besides the account. */
    takeOver(account: Account, found: { file: string; rest: string }[]): void {
      inTransaction(() => {
        const { username, password, expiry_date } = account;
        if (!addAccount(account)) update.run(password, expiry_date, username);
        for (const { file, rest } of found) {
          rows.set(file, account.username, { owned: true, rest, granted: undefined });
        }
      });
    },

    rows: {
      of: rows.of,
      hadPassword: rows.hadPassword,
      hadPasswordEarlier: rows.hadPasswordEarlier,
      grants: rows.grants,
      useGrant: rows.useGrant,

      /** Before a file is replaced, because what is learned from it may be gone afterwards. */
      learn(file: string, learned: Map<string, RowRecord>, former: [string, string][]): void {
        if (learned.size + former.length === 0) return;
        inTransaction(() => rows.learn(file, learned, former));
      },

      /** After a file was written. Names that were sold anew meanwhile wait for the next write. */
      settle(file: string, ours: Map<string, { known: RowRecord | undefined; record: RowRecord }>) {
        const changed = [...ours].filter(([name, { known, record }]) => {
          if (rows.of(file, name) !== known) return false;
          return !known?.owned || known.rest !== record.rest || known.granted !== record.granted;
        });
        if (changed.length === 0) return;
        inTransaction(() => {
          for (const [name, { record }] of changed) {
            rows.set(file, Buffer.from(name, 'latin1').toString(), record);
          }
        });
      },
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

    /** The files are without what was deleted. */
    forgetDeparted({ departed, departedThrough }: Snapshot): void {
      inTransaction(() => {
        for (const username of departed) if (!find.get(username)) rows.disown(username);
        forget.run(departedThrough);
      });
    },

    /** The card server knows what the file says, and nothing any more of deletions up to this one. */
    forgetFormer(departed: number, file: string, grant: string): void {
      inTransaction(() => rows.forgetFormer(departed, file, grant));
    },

    close(): void {
      db.close();
    },
  };
}
