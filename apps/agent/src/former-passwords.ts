import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { bytesOf } from './bytes.ts';

/** Days after which no editor or card server should still have an old text of a file. */
const REMEMBERED_DAYS = 90;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS former_passwords (
    username TEXT NOT NULL,
    digest TEXT NOT NULL,
    -- Of a customer who had the name before.
    earlier INTEGER NOT NULL DEFAULT 0,
    -- Unused since an editor may bring a row back, too.
    departed INTEGER,
    departed_on TEXT,
    PRIMARY KEY (username, digest)
  ) STRICT, WITHOUT ROWID;
`;

/** The digest of a name and a password as bytes. */
export function digestOf(name: string, password: string): string {
  return createHash('sha256').update(`${name}\0${password}`, 'latin1').digest('hex');
}

/**
 * Passwords that rows of the agent's had, as digests: by them a row is known that comes from before the
 * last change, out of a card server's memory or an editor that was left open. Names and passwords are
 * bytes, unless called username.
 */
export function openFormerPasswords(db: DatabaseSync) {
  db.exec(SCHEMA);
  db.prepare("DELETE FROM former_passwords WHERE departed_on < date('now', ?)").run(
    `-${REMEMBERED_DAYS} days`,
  );
  const insert = db.prepare(
    'INSERT INTO former_passwords (username, digest) VALUES (?, ?) ON CONFLICT DO UPDATE SET earlier = 0',
  );
  const leave = db.prepare(
    "UPDATE former_passwords SET departed_on = date('now') WHERE username = ?",
  );
  const comeBack = db.prepare('UPDATE former_passwords SET departed_on = NULL WHERE username = ?');
  const makeEarlier = db.prepare(
    'UPDATE former_passwords SET earlier = 1 WHERE username = ? RETURNING digest',
  );

  function read(): Map<string, boolean> {
    const found = db.prepare('SELECT digest, earlier FROM former_passwords').all();
    return new Map(found.map(({ digest, earlier }) => [String(digest), earlier === 1]));
  }
  /** Whether each digest is of an earlier customer. */
  let known = read();

  return {
    /** After a transaction that was rolled back. */
    reload(): void {
      known = read();
    },

    has: (name: string, password: string): boolean => known.has(digestOf(name, password)),

    /** Whether the password belonged to an earlier customer with this name. */
    isEarlier(name: string, password: string): boolean {
      return known.get(digestOf(name, password)) ?? false;
    },

    add(username: string, password: string): void {
      const digest = digestOf(bytesOf(username), password);
      insert.run(username, digest);
      known.set(digest, false);
    },

    /** The name is sold again. */
    begin(username: string, isSameCustomer: boolean): void {
      comeBack.run(username);
      if (isSameCustomer) return;
      for (const { digest } of makeEarlier.all(username)) known.set(String(digest), true);
    },

    /** The name is deleted. */
    end(username: string): void {
      leave.run(username);
    },
  };
}
