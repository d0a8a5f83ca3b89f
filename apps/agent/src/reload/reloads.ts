import type { DatabaseSync } from 'node:sqlite';
import { isAscii } from '@linekeeper/oscam/bytes.ts';
import type { Server } from '@linekeeper/oscam/replies.ts';
import { coalesce } from '../coalesce.ts';
import { causeOf, type Log } from '../log.ts';
import { openSql } from '../sql.ts';
import { ReloadFailure } from './failure.ts';
import { type Account, ReadOnly, type ReadResult, type Wanted } from './webif.ts';

const REPLY_MS = 1000;
/** Milliseconds for which the response to "Read again" waits, at most. */
const READ_AGAIN_MS = 5000;
/** Pauses in milliseconds after failures; the last one repeats. */
const RETRIES_MS = [1000, 2000, 5000, 10_000];
/** The number of changes up to which each is compared with its password, if all names are ASCII. */
const FEW = 5;
const MAX_REPORTED_NAMES = 20;

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
  -- The store sets a name to itself after a change of rights.
  CREATE TEMP TRIGGER untaken_rights AFTER UPDATE OF username ON main.accounts BEGIN
    INSERT INTO untaken (username, keeps_out, at) VALUES (NEW.username, 0, agent_moment());
  END;
  CREATE TEMP TRIGGER untaken_removed AFTER DELETE ON main.accounts BEGIN
    INSERT INTO untaken (username, keeps_out, at, lets_in)
      VALUES (OLD.username, 0, agent_moment(), OLD.expiry_date >= agent_today());
  END;
`;

/** The changes of accounts that the card server is not known to have read, in the table `untaken`. */
export function openUnread(
  db: DatabaseSync,
  { now, today, isAsked }: { now(): Date; today(): string; isAsked: boolean },
) {
  db.exec(TABLE);
  // Without a reader, no change would ever be confirmed, so none is kept.
  if (!isAsked) db.exec('DELETE FROM untaken');
  db.function('agent_moment', () => now().toISOString());
  db.function('agent_today', () => today());
  if (isAsked) db.exec(TRIGGERS);

  const sql = openSql(db);
  const namesOf = (found: { username?: unknown }[]) =>
    found.map(({ username }) => String(username));

  return {
    /** The number of the newest change; a file that is written later has all changes up to it. */
    last: () => Number(sql.get`SELECT coalesce(max(id), 0) AS id FROM untaken`?.id),

    namesThrough: (id: number, limit: number) =>
      namesOf(
        sql.all`SELECT username FROM untaken WHERE id <= ${id} GROUP BY username LIMIT ${limit}`,
      ),

    namesAfter: (id: number) =>
      new Set(namesOf(sql.all`SELECT username FROM untaken WHERE id > ${id}`)),

    /** Forgets changes up to this one, which the card server has read. */
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
        /** Number of deleted or suspended lines that can still connect to the card server. */
        still_connect: letIn.length,
        still_names: letIn.slice(0, MAX_REPORTED_NAMES),
      };
    },
  };
}

/** A means to make the card server read its files. */
export type Reader = {
  by: 'webif' | 'command';
  /** Makes the card server read its files; undefined if the reader cannot find out which ones it has read. */
  read(wanted: Wanted): Promise<ReadResult | undefined>;
  close(): void;
};

/** Milliseconds: the longest wait of a response, pauses after failures, and before a command's second run. */
export type ReloadTimes = {
  replyMs?: number;
  retriesMs?: readonly number[];
  commandAgainMs?: number;
};

type Options = ReloadTimes & {
  reader: Reader | undefined;
  unread: ReturnType<typeof openUnread>;
  /** All usernames that the files contain. */
  liveNames(): string[];
  /** The accounts with these usernames, without those that the operator keeps. */
  expected(usernames: string[]): Promise<Account[]>;
  log: Log;
  now(): Date;
};

/** The outcome of a change: `applied` if the card server has loaded it, otherwise with the reason, `why`. */
export type ReadOutcome = { applied: boolean; why: string | null };

export type Reloads = ReturnType<typeof openReloads>;

const UNTRIED = {
  ok: null as boolean | null,
  at: null as string | null,
  ok_at: null as string | null,
  code: null as string | null,
  data: {} as ReloadFailure['data'],
  message: null as string | null,
  server: null as string | null,
  started_at: null as string | null,
};

const STILL_RUNNING: ReadOutcome = { applied: false, why: 'The reload is still running.' };

/** Resolves with undefined if `work` takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, ms, undefined);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Milliseconds within which changes share one reread. */
const GATHER_MS = 60;
/**
 * Milliseconds after which a command is run once more: OSCam loses a signal that comes just after the end of a
 * customer's session, and reports nothing.
 */
const COMMAND_AGAIN_MS = 3000;

/** Makes the card server read the written changes: few rereads for many writes, with retries. */
function openConfigured(reader: Reader, options: Options) {
  const { unread, log, now, replyMs = REPLY_MS, retriesMs = RETRIES_MS } = options;
  let state = UNTRIED;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** The number of the newest change in the files. */
  let written = 0;
  /** The number of the newest change that the card server has read. */
  let read = 0;
  let current: { through: number; result: Promise<ReadOutcome> } | undefined;
  /** The last start of a read-only OSCam, and the newest change in the files at that time. */
  let seen: { started_at: string; written: number } | undefined;

  async function wantedAfter(through: number, isAll: boolean): Promise<Wanted> {
    const names = unread.namesThrough(through, FEW + 1);
    // Names with other characters may be in another encoding at OSCam, so they are not compared one by one.
    const isFew = !isAll && names.length > 0 && names.length <= FEW && names.every(isAscii);
    // If the files cannot be read now, OSCam is compared by names only.
    const accounts = isFew ? await options.expected(names).catch(() => undefined) : undefined;
    if (accounts) return { accounts };
    return { names: options.liveNames() };
  }

  function noteStart({ server, started_at }: Server): void {
    state = { ...state, server, started_at };
    // The change was written before OSCam started, so OSCam read it at the start.
    if (seen && seen.started_at !== started_at) unread.forgetThrough(seen.written);
    seen = { started_at, written };
  }

  function fail(error: unknown): ReadOutcome {
    const failure =
      error instanceof ReloadFailure
        ? error
        : new ReloadFailure('WEBIF_UNREACHABLE', { reason: causeOf(error) });
    if (failure instanceof ReadOnly) noteStart(failure.server);
    const { code, data, message } = failure;
    if (state.message !== message) log({ level: 'warn', message });
    state = { ...state, ok: false, at: now().toISOString(), code, data, message };
    const pause = retriesMs[Math.min(failures, retriesMs.length - 1)];
    failures += 1;
    retry = setTimeout(() => void attempt(), pause).unref();
    return { applied: false, why: message };
  }

  async function readOnce(through: number): Promise<ReadOutcome> {
    const isAll = state.ok !== true;
    const isNews = isAll || through > read;
    try {
      const look = await reader.read(await wantedAfter(through, isAll));
      // Accounts that changed in the meantime are left for the next reread.
      const changed = unread.namesAfter(through);
      const count = look?.unknown.filter((name) => !changed.has(name)).length ?? 0;
      if (count > 0) throw new ReloadFailure('WEBIF_NAMES_UNKNOWN', { count });
      unread.forgetThrough(through);
      read = through;
      if (state.ok === false)
        log({ level: 'info', message: 'The card server has reloaded its files' });
      const at = now().toISOString();
      state = { ...UNTRIED, ok: true, at, ok_at: at, ...look?.server };
      failures = 0;
      if (reader.by === 'command' && isNews) {
        again = setTimeout(() => void ask(), options.commandAgainMs ?? COMMAND_AGAIN_MS).unref();
      }
      return { applied: true, why: null };
    } catch (error) {
      return isClosed ? { applied: false, why: 'The agent is stopping.' } : fail(error);
    }
  }

  const attempt = coalesce((): Promise<ReadOutcome> => {
    clearTimeout(retry);
    clearTimeout(again);
    retry = undefined;
    const result = readOnce(written);
    current = { through: written, result };
    return result.finally(() => {
      current = undefined;
    });
  }, GATHER_MS);

  /**
   * Runs an attempt that all callers share if they asked before it began. After a failure, all of
   * them wait for the next attempt.
   */
  async function ask(): Promise<ReadOutcome> {
    return isClosed || retry ? { applied: false, why: state.message } : attempt();
  }

  return {
    /** Called when the files have all changes up to this one. */
    rendered(change: number, isChanged: boolean): void {
      written = Math.max(written, change);
      if (isChanged) void ask();
    },

    /** The outcome of a change that is in the files: waits a moment for the card server to read it. */
    async outcomeOf(change: number): Promise<ReadOutcome> {
      if (state.ok && change <= read) return { applied: true, why: null };
      const result = current && current.through >= change ? current.result : ask();
      return (await within(result, replyMs)) ?? STILL_RUNNING;
    },

    /** Reads again without the pause after a failure. */
    async readAgain(): Promise<ReadOutcome> {
      return (await within(attempt(), READ_AGAIN_MS)) ?? STILL_RUNNING;
    },

    state: () => ({ by: reader.by, ...state, ...unread.waiting() }),

    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(retry);
      clearTimeout(again);
      reader.close();
      await current?.result;
    },
  };
}

export function openReloads(options: Options) {
  if (options.reader) return openConfigured(options.reader, options);
  // Without a reader, no change can be known to be unread.
  const { code, data, message } = new ReloadFailure('NOT_CONFIGURED');
  return {
    rendered(): void {},
    outcomeOf: async (): Promise<ReadOutcome> => ({ applied: false, why: null }),
    readAgain: async (): Promise<ReadOutcome> => ({ applied: false, why: message }),
    state: () => ({ by: null, ...UNTRIED, code, data, message, ...options.unread.waiting() }),
    async close(): Promise<void> {},
  };
}
