import type { Finding } from '@linekeeper/contract/findings.ts';
import { type TakeOverReason, takeOverReasons } from '@linekeeper/contract/servers/take-over.ts';
import type { Outbound } from '../../../platform/http-client/request.ts';
import { notReached } from './check-connection.ts';
import { type CardServer, hasSuccessStatus, type LineToTakeOver, takeOverUsers } from './client.ts';

/** Accounts of one call: of the longest names and passwords they are less than the 64 KiB that an agent reads. */
const AT_ONCE = 150;

export interface TakenOverRows {
  taken: string[];
  refused: { username: string; reason: TakeOverReason }[];
  /** Why the server was not asked about all of them; null if it was. */
  finding: Finding | null;
}

/**
 * Asks a card server's agent to take over the rows of these lines that stand by hand in its files, page
 * by page. Never throws.
 */
export async function takeOver(
  outbound: Outbound,
  server: CardServer,
  lines: readonly LineToTakeOver[],
  signal: AbortSignal,
): Promise<TakenOverRows> {
  const all: TakenOverRows = { taken: [], refused: [], finding: null };
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const asked = lines.slice(from, from + AT_ONCE);
    const names = new Set(asked.map(({ username }) => username));
    const answer = await takeOverUsers(outbound, server, asked, signal);
    if (answer.kind === 'unreachable') return { ...all, finding: notReached(answer) };
    const { status, json } = answer;
    if (!hasSuccessStatus(answer) || !Array.isArray(json?.taken)) {
      return { ...all, finding: { code: 'NO_TAKE_OVER', data: { status } } };
    }
    all.taken.push(...json.taken.filter((name) => names.has(name)));
    if (Array.isArray(json.refused)) {
      all.refused.push(...json.refused.flatMap((one) => readRefusal(one, names)));
    }
  }
  return all;
}

/** Reads names that were asked for, and no others. */
function readRefusal(
  value: unknown,
  names: ReadonlySet<string>,
): { username: string; reason: TakeOverReason }[] {
  const { username, reason: given } = Object(value) as Record<string, unknown>;
  const reason = takeOverReasons.find((one) => one === given);
  return typeof username === 'string' && reason !== undefined && names.has(username)
    ? [{ username, reason }]
    : [];
}
