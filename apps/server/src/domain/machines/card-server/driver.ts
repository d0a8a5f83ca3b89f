import type { ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import type { TakeOverReason } from '@linekeeper/contract/servers/take-over.ts';
import type { ServerCall, testCall } from '@linekeeper/contract/servers/test-call.ts';
import type { OnlineAccount as NamedAccount } from '@linekeeper/oscam/who-is-on.ts';
import type { StoredReload } from '../../../db/schema/server-schema.ts';
import type { Connected } from './check-connection.ts';
import type { PushResult, WantedLine } from './client.ts';

/** The account that a card server should have; `is_suspended` keeps its customer out until it is resumed. */
export type WantedAccount = WantedLine & { username: string; is_suspended: boolean };

/** An account that is on. */
export type OnlineAccount = Omit<NamedAccount, 'name'> & {
  username: string;
  /** The line whose account it is; undefined where the card server does not say. */
  line?: string | undefined;
};

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
type Delivered = {
  onServer: boolean;
  before?: string | undefined;
  signal?: AbortSignal | undefined;
};

/** `onServer` is an assumption that may be wrong. `isAdopted` keeps the account's settings, even if its mark names another line. */
export type PutOptions = Delivered & { isAdopted?: boolean };

/** `lines` are those whose account it may be, beside one that the server has taken. */
export type RemoveOptions = Delivered & { lines: readonly string[] };

type Failed = { ok: false; finding: Finding };

export type ListedAccounts =
  | {
      ok: true;
      /** Expiry date (YYYY-MM-DD) by username; null if the server gives none. */
      accounts: ReadonlyMap<string, string | null>;
      /** The server names passwords of accounts that it is asked for. */
      tells_passwords: boolean;
      /** Accounts that are switched off; absent where such accounts do not exist. */
      disabled?: ReadonlySet<string>;
      /** Accounts of the operator's own, which the panel may not remove; absent where only its own are listed. */
      by_hand?: ReadonlySet<string>;
      /** Ids of the lines that the panel's own accounts are of, by name, where the card server says so. */
      lines?: ReadonlyMap<string, string>;
      /** The group that a new account gets; null where the card server chooses it. */
      new_group?: string | null;
    }
  | Failed;

/** Facts that a card server gives of one of its accounts; null where it does not say. */
export interface ShownAccount {
  password: string | null;
  expiry_date: string | null;
  /** It does not bear the panel's mark yet. */
  is_to_push?: true;
}

/**
 * The row may still have the password `before`. That of a suspended or deleted line may be switched off,
 * and goes.
 */
export type LineToTakeOver = WantedLine & {
  username: string;
  before: string | null;
  state: 'runs' | 'suspended' | 'deleted';
};

export interface TakenOverRows {
  taken: string[];
  refused: { username: string; reason: TakeOverReason }[];
  /** Why the server was not asked about all of them; null if it was. */
  finding: Finding | null;
}

/** An account in a call that is tried out; what is not given stays as the card server has it. */
export type TriedAccount = Partial<WantedLine> & { username: string };

/** A call that was tried out, as it was sent, and what came back. */
export type TriedCall = Pick<ReplyToSend<typeof testCall>, 'request' | 'reply'> & {
  finding: Finding | null;
};

/**
 * Everything that the panel does to a card server. Each kind of server has a driver; pushes, comparisons and health
 * know only this. No verb throws, and each ends at its deadline. Decision 0111: a change counts once the card server is seen to
 * have read it.
 */
export interface CardServerDriver {
  /** A thorough test tells of its accounts, too. */
  test(signal?: AbortSignal, isThorough?: boolean): Promise<Connected>;
  /** Brings an account to the wanted state. */
  put(account: WantedAccount, options: PutOptions): Promise<PushResult>;
  remove(username: string, options: RemoveOptions): Promise<PushResult>;
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
  reread(
    signal: AbortSignal,
  ): Promise<{ ok: true; applied: boolean; reload: StoredReload | null } | Failed>;
  sessions(signal?: AbortSignal): Promise<SessionsRead>;
  /** Makes one call for an administrator who tries the card server out. */
  tryOut(call: ServerCall, account: TriedAccount, signal: AbortSignal): Promise<TriedCall>;
  /** Ends the sessions of accounts that are the line's and returns their number; absent where the card server cannot. */
  endSessions?(
    line: LineOnline,
    signal?: AbortSignal,
  ): Promise<{ ok: true; ended: number } | Failed>;
}
