import type { ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import type { Rights } from '@linekeeper/contract/servers/rights.ts';
import type { TakeOverReason } from '@linekeeper/contract/servers/take-over.ts';
import type { ServerCall, testCall } from '@linekeeper/contract/servers/test-call.ts';
import type { RightsChoices } from '@linekeeper/oscam/user-file.ts';
import type { OnlineAccount as NamedAccount } from '@linekeeper/oscam/who-is-on.ts';
import type { StoredReload } from '../../../db/schema/server-schema.ts';
import type { Connected } from './check-connection.ts';
import type { PushResult, WantedLine } from './client.ts';

/** The account that a card server should have; `is_suspended` keeps its customer out until it is resumed. */
export type WantedAccount = WantedLine & { username: string; is_suspended: boolean };

/** An account of a card server that is online, with its connections. */
export type OnlineAccount = Omit<NamedAccount, 'name'> & {
  username: string;
  /** The line that the account belongs to; undefined if the card server does not report it. */
  line?: string | undefined;
};

/** The sessions of a card server. `finding` is null if the server has no means to list its sessions. */
export type SessionsRead =
  | { ok: true; card_server: string | null; started_at: Date | null; accounts: OnlineAccount[] }
  | { ok: false; finding: Finding | null };

/** A line whose sessions are to end. */
export interface LineOnline {
  line: string;
  /** The line's name, and other names by which it still works. */
  usernames: readonly string[];
}

/** `before` is the password that was delivered last, if it has changed since. */
type Delivered = {
  onServer: boolean;
  before?: string | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Options of a push that adds or changes an account. `onServer` is whether the account is assumed to exist, which may
 * be wrong. `isAdopted` keeps the account's settings, even if its mark names another line. `rightsBefore` are the
 * rights of the last delivery: a setting among them that the account's `rights` lack is removed.
 */
export type PutOptions = Delivered & { isAdopted?: boolean; rightsBefore?: Rights | undefined };

/**
 * Options of a push that removes an account. `lines` are further lines to which the account may
 * belong, besides the line for which it was delivered.
 */
export type RemoveOptions = Delivered & { lines: readonly string[] };

type Failed = { ok: false; finding: Finding };

export type ListedAccounts =
  | {
      ok: true;
      /** Expiry date (YYYY-MM-DD) by username; null if the server gives none. */
      accounts: ReadonlyMap<string, string | null>;
      /** True if the server can report the passwords of accounts. */
      tells_passwords: boolean;
      /** Accounts that are switched off; absent if the server has no such accounts. */
      disabled?: ReadonlySet<string>;
      /** The operator's accounts, which the panel may not remove; absent if the list has only the panel's. */
      by_hand?: ReadonlySet<string>;
      /** Ids of the lines of the panel's own accounts, by name, if the card server reports them. */
      lines?: ReadonlyMap<string, string>;
      /** The group of a new account; null if the card server chooses it. */
      new_group?: string | null;
    }
  | Failed;

/** An account as the card server reports it; null for fields that it does not report. */
export interface ShownAccount {
  password: string | null;
  expiry_date: string | null;
  /** True if the account does not have the panel's mark yet. */
  is_to_push?: true;
}

/**
 * A line whose row may be taken over. The row may have the password `before`. The row of a
 * suspended line may be switched off, and is removed then.
 */
export type LineToTakeOver = WantedLine & {
  username: string;
  before: string | null;
  state: 'runs' | 'suspended' | 'deleted';
};

export interface TakenOverRows {
  taken: string[];
  refused: { username: string; reason: TakeOverReason }[];
  /** The reason why the server was not asked about all lines; null if it was. */
  finding: Finding | null;
}

/** The account of a test call. Fields that are not given stay as the card server has them. */
export type TriedAccount = Partial<WantedLine> & { username: string };

/** A test call with its request and its response. */
export type TriedCall = Pick<ReplyToSend<typeof testCall>, 'request' | 'reply'> & {
  finding: Finding | null;
};

/**
 * The interface through which the panel uses a card server. Each kind of server has a driver; pushes, comparisons and
 * health use only this. No function throws, and each ends at its deadline. A change counts once the card server is
 * known to have read it, because until then it refuses the customer.
 */
export interface CardServerDriver {
  /** Tests the connection. A thorough test also reports on the accounts. */
  test(signal?: AbortSignal, isThorough?: boolean): Promise<Connected>;
  /** Changes an account to the wanted state. */
  put(account: WantedAccount, options: PutOptions): Promise<PushResult>;
  remove(username: string, options: RemoveOptions): Promise<PushResult>;
  list(signal?: AbortSignal): Promise<ListedAccounts>;
  /** The accounts with these names on the server; null if it does not respond. */
  show(
    usernames: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ShownAccount> | null>;
  /** True if an account with this name belongs to the operator; false if the card server does not report it. */
  isByHand(username: string, signal: AbortSignal): Promise<boolean>;
  /** Takes over the operator's accounts that match these lines. */
  takeOver(lines: readonly LineToTakeOver[], signal: AbortSignal): Promise<TakenOverRows>;
  /** The groups and services that a plan can name; null if the card server does not report them. */
  rightsChoices(signal?: AbortSignal): Promise<RightsChoices | null>;
  /** Makes the card server reload its accounts. */
  reread(
    signal: AbortSignal,
  ): Promise<{ ok: true; applied: boolean; reload: StoredReload | null } | Failed>;
  sessions(signal?: AbortSignal): Promise<SessionsRead>;
  /** Makes one test call for an administrator. */
  tryOut(call: ServerCall, account: TriedAccount, signal: AbortSignal): Promise<TriedCall>;
  /** Ends the sessions of accounts that are the line's and returns their number; absent if the card server cannot. */
  endSessions?(
    line: LineOnline,
    signal?: AbortSignal,
  ): Promise<{ ok: true; ended: number } | Failed>;
}
