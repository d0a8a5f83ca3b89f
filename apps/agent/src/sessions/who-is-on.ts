/** A client's connection; null for what the card server does not say. */
export type ClientSession = {
  protocol: string | null;
  address: string | null;
  /** ISO 8601. */
  since: string | null;
};

/** An account that is on. What its client watches is never read. */
export type OnlineAccount = {
  /** The name as the card server has it, one latin1 character per byte. */
  name: string;
  /** At least 1; the card server may tell less of them in `sessions`. */
  connections: number;
  sessions: ClientSession[];
  /** Requests since the card server's start, or since the clients connected. */
  counters: { ok: number; refused: number; timed_out: number } | null;
  /** The time of the last answer. */
  answer_ms: number | null;
};

export type WhoIsOn = {
  /** Name and version of the card server. */
  server: string | null;
  started_at: string | null;
  accounts: OnlineAccount[];
};

/** The means by which a card server says who is on. */
export type SessionsSource = {
  read(): Promise<WhoIsOn>;
  /** Ends the account's sessions and returns their number; absent if the card server cannot. */
  end?(isAccount: (name: string) => boolean): Promise<number>;
  close(): void;
};

/** A number of a foreign page; null if it has none. */
export function countOf(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d{1,12}\s*$/.test(text) ? Number(text) : null;
}
