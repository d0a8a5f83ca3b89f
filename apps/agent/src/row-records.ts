import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** What is known of an account's row in one file. */
export type RowRecord = {
  /** Whether the row there is ours: written by this agent, or taken over from the operator. */
  owned: boolean;
  /** What it said besides the account, as bytes, when last seen; undefined for nothing but the grant. */
  rest: string | undefined;
  /** The agent's setting that it was given; undefined where the operator has set its own. */
  granted: string | undefined;
};

/** `left` is the digest of the password that the account had when it was deleted. */
type Known = RowRecord & { left: string | undefined };

export type RowRecords = ReturnType<typeof openRowRecords>;

/** What version 1.0.0 gave each row, without keeping a record of it. */
const FIRST_GRANTS: [file: string, value: string][] = [
  ['CCcam.cfg', ''],
  ['oscam.user', '1'],
];

/** Days after which no card server is thought to remember a deleted account. */
const REMEMBERED_DAYS = 90;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS rows (
    file TEXT NOT NULL,
    username TEXT NOT NULL,
    owned INTEGER NOT NULL,
    rest BLOB,
    granted TEXT,
    left_password TEXT,
    PRIMARY KEY (file, username)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS former_passwords (
    username TEXT NOT NULL,
    digest TEXT NOT NULL,
    -- Of a customer who had the name before.
    earlier INTEGER NOT NULL DEFAULT 0,
    departed INTEGER,
    departed_on TEXT,
    PRIMARY KEY (username, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS grants (
    file TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file, value)
  ) STRICT, WITHOUT ROWID;
`;

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Of name and password as bytes. */
function digestOf(name: string, password: string): string {
  return createHash('sha256').update(`${name}\0${password}`, 'latin1').digest('hex');
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function bytesOrNull(text: string | undefined): Buffer | null {
  return text === undefined ? null : Buffer.from(text, 'latin1');
}

function readRows(db: DatabaseSync): Map<string, Map<string, Known>> {
  const files = new Map<string, Map<string, Known>>();
  for (const row of db.prepare('SELECT * FROM rows').iterate()) {
    const known = files.get(String(row.file)) ?? new Map<string, Known>();
    files.set(String(row.file), known);
    known.set(bytesOf(String(row.username)), {
      owned: row.owned === 1,
      rest: row.rest === null ? undefined : Buffer.from(row.rest as Uint8Array).toString('latin1'),
      granted: (row.granted as string | null) ?? undefined,
      left: (row.left_password as string | null) ?? undefined,
    });
  }
  return files;
}

/**
 * The agent's records of its rows in the card servers' files, kept in memory too, because each write
 * asks for all. Methods of more than one statement are for use within a transaction.
 */
export function openRowRecords(db: DatabaseSync) {
  db.exec(SCHEMA);
  const addGrant = db.prepare('INSERT INTO grants VALUES (?, ?) ON CONFLICT DO NOTHING');
  const isFirst = db.prepare('SELECT 1 FROM grants').get() === undefined;
  if (isFirst) for (const [file, value] of FIRST_GRANTS) addGrant.run(file, value);
  db.prepare("DELETE FROM former_passwords WHERE departed_on < date('now', ?)").run(
    `-${REMEMBERED_DAYS} days`,
  );

  const save = db.prepare(
    `INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET owned = excluded.owned,
      rest = excluded.rest, granted = excluded.granted, left_password = excluded.left_password`,
  );
  const addPassword = db.prepare(
    'INSERT INTO former_passwords (username, digest) VALUES (?, ?) ON CONFLICT DO UPDATE SET earlier = 0',
  );
  const leave = db.prepare(
    "UPDATE former_passwords SET departed = ?, departed_on = date('now') WHERE username = ?",
  );
  const comeBack = db.prepare(
    'UPDATE former_passwords SET departed = NULL, departed_on = NULL WHERE username = ?',
  );
  const forget = db.prepare('DELETE FROM former_passwords WHERE departed <= ? RETURNING digest');

  const makeEarlier = db.prepare(
    'UPDATE former_passwords SET earlier = 1 WHERE username = ? RETURNING digest',
  );
  const forgetGrants = db.prepare('DELETE FROM grants WHERE file = ? AND value <> ?');
  const readPasswords = () => {
    const found = db.prepare('SELECT digest, earlier FROM former_passwords').all();
    return new Map(found.map(({ digest, earlier }) => [String(digest), earlier === 1]));
  };
  let rows = readRows(db);
  let passwords = readPasswords();

  function set(file: string, username: string, known: Known): void {
    const { owned, rest, granted, left } = known;
    save.run(file, username, owned ? 1 : 0, bytesOrNull(rest), granted ?? null, left ?? null);
    const ofFile = rows.get(file) ?? new Map<string, Known>();
    rows.set(file, ofFile.set(bytesOf(username), known));
  }

  /** `password` is bytes. */
  function addFormer(username: string, password: string): string {
    const digest = digestOf(bytesOf(username), password);
    addPassword.run(username, digest);
    passwords.set(digest, false);
    return digest;
  }

  return {
    /** After a transaction that was rolled back. */
    reload(): void {
      rows = readRows(db);
      passwords = readPasswords();
    },

    /** `name` is bytes (see `bytesOf`), as all that is read from files. */
    of: (file: string, name: string): RowRecord | undefined => rows.get(file)?.get(name),

    hadPassword(name: string, password: string): boolean {
      return passwords.has(digestOf(name, password));
    },

    /** Whether it was the password of somebody who had the name before the customer of now. */
    hadPasswordEarlier(name: string, password: string): boolean {
      return passwords.get(digestOf(name, password)) ?? false;
    },

    grants(file: string): Set<string> {
      const found = db.prepare('SELECT value FROM grants WHERE file = ?').all(file);
      return new Set(found.map(({ value }) => String(value)));
    },

    useGrant: (file: string, value: string): void => void addGrant.run(file, value),

    /** Keeps what the operator set on rows, and passwords that others gave them. */
    learn(file: string, learned: Map<string, RowRecord>, former: [string, string][]): void {
      for (const [name, record] of learned) {
        const known = rows.get(file)?.get(name);
        if (known)
          set(file, textOf(name), { ...known, rest: record.rest, granted: record.granted });
      }
      for (const [name, password] of former) {
        addFormer(textOf(name), password);
      }
    },

    set(file: string, username: string, record: RowRecord): void {
      set(file, username, { ...record, left: undefined });
    },

    /** A name that comes back with its password is the same customer, with the same settings. */
    begin(username: string, password: string): void {
      const digest = digestOf(bytesOf(username), bytesOf(password));
      comeBack.run(username);
      const isSomebodyElse = [...rows.values()].some((known) => {
        const left = known.get(bytesOf(username))?.left;
        return left !== undefined && left !== digest;
      });
      if (isSomebodyElse) {
        for (const { digest: former } of makeEarlier.all(username)) {
          passwords.set(String(former), true);
        }
      }
      for (const [file, known] of rows) {
        const record = known.get(bytesOf(username));
        if (!record) continue;
        const isSame = record.left === digest;
        set(
          file,
          username,
          isSame
            ? { ...record, left: undefined }
            : { owned: false, rest: undefined, granted: undefined, left: undefined },
        );
      }
    },

    changePassword(username: string, before: string): void {
      addFormer(username, bytesOf(before));
    },

    /** `departed` counts deletions. */
    end(username: string, password: string, departed: number): void {
      const left = addFormer(username, bytesOf(password));
      leave.run(departed, username);
      for (const [file, known] of rows) {
        const record = known.get(bytesOf(username));
        if (record) set(file, username, { ...record, left });
      }
    },

    /** The row of a deleted account is out of the files. */
    disown(username: string): void {
      for (const [file, known] of rows) {
        const record = known.get(bytesOf(username));
        if (record?.owned) set(file, username, { ...record, owned: false });
      }
    },

    /** What a card server remembered until it read this file again. */
    forgetFormer(departed: number, file: string, grant: string): void {
      for (const { digest } of forget.all(departed)) passwords.delete(String(digest));
      forgetGrants.run(file, grant);
    },
  };
}
