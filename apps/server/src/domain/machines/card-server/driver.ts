import type { Finding } from '@linekeeper/contract/findings.ts';
import type { Connected } from './check-connection.ts';
import type { LineToTakeOver, PushResult, WantedLine } from './client.ts';
import type { ListedAccounts, ShownAccount } from './list-accounts.ts';
import type { Reread } from './reread.ts';
import type { TakenOverRows } from './take-over.ts';

/** The account that a card server should have; `is_suspended` keeps its customer out until it is resumed. */
export type WantedAccount = WantedLine & { username: string; is_suspended: boolean };

/** Counters of an account since the card server's start. */
export interface Counters {
  ok: number;
  refused: number;
  timed_out: number;
}

/** A client's session; null where the card server does not say. */
export interface ClientSession {
  protocol: string | null;
  address: string | null;
  since: Date | null;
}

/** An account that is on. */
export interface OnlineAccount {
  username: string;
  /** The line whose account it is; undefined where the card server does not say. */
  line?: string | undefined;
  /** At least 1; the card server may say less of each of them in `sessions`. */
  connections: number;
  sessions: ClientSession[];
  counters: Counters | null;
  /** Time of the last answer in milliseconds; null where the card server does not say. */
  answer_ms: number | null;
}

/** A card server's word on who is on; `finding` is null where it has no means to give one. */
export type SessionsRead =
  | { ok: true; card_server: string | null; started_at: Date | null; accounts: OnlineAccount[] }
  | { ok: false; finding: Finding | null };

/** A line whose sessions are to end. */
export interface LineOnline {
  line: string;
  /** Its name, and others by which it still works. */
  usernames: readonly string[];
}

/** `before` is the password that was delivered last, if there is another by now. */
type Delivered = { onServer: boolean; before?: string | undefined };

/** `onServer` is an assumption that may be wrong. An adopted account stays as it is, whose line's it ever was. */
export type PutOptions = Delivered & { isAdopted?: boolean };

/** `lines` are those whose account it may be, beside one that the server has taken. */
export type RemoveOptions = Delivered & { lines: readonly string[] };

/**
 * Everything that the panel does to a card server. Each kind of server has a driver; pushes, comparisons and health
 * know only this. No verb throws, and each ends at its deadline.
 */
export interface CardServerDriver {
  /** A thorough test tells of its accounts, too. */
  test(signal?: AbortSignal, isThorough?: boolean): Promise<Connected>;
  /** Brings an account to the wanted state. */
  put(
    account: WantedAccount,
    options: PutOptions & { signal?: AbortSignal | undefined },
  ): Promise<PushResult>;
  remove(
    username: string,
    options: RemoveOptions & { signal?: AbortSignal | undefined },
  ): Promise<PushResult>;
  list(signal?: AbortSignal): Promise<ListedAccounts>;
  /** The named accounts that it has, by name; null if it does not answer. */
  show(
    usernames: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ShownAccount> | null>;
  /** Whether an account with this name is not the panel's; false where the card server does not say. */
  isByHand(username: string, signal: AbortSignal): Promise<boolean>;
  /** Makes accounts of the operator's own that equal these lines the panel's. */
  takeOver(lines: readonly LineToTakeOver[], signal: AbortSignal): Promise<TakenOverRows>;
  /** Has the card server read its accounts again. */
  reread(signal: AbortSignal): Promise<Reread>;
  sessions(signal?: AbortSignal): Promise<SessionsRead>;
  /** Ends the sessions of accounts that are the line's and returns their number; absent where the card server cannot. */
  endSessions?(
    line: LineOnline,
    signal?: AbortSignal,
  ): Promise<{ ok: true; ended: number } | { ok: false; finding: Finding }>;
}
