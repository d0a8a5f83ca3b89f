import type { Day } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { BadgeTone } from '#kit/ui/badge.tsx';
import { syncProblem } from './sync.tsx';
import { isPending } from './use-retry-sync.ts';

const tones = {
  works: 'success',
  trial: 'info',
  pending: 'info',
  away: 'warning',
  awayLine: 'warning',
  awayChange: 'warning',
  refused: 'error',
  nameTaken: 'error',
  refusedChange: 'error',
  lost: 'error',
  worksAs: 'warning',
  worksOn: 'warning',
  formerStays: 'warning',
  notRead: 'warning',
  notKnown: 'warning',
  today: 'error',
  ended: 'error',
  longName: 'warning',
  suspended: 'neutral',
} as const satisfies Record<string, BadgeTone>;

export type LineStateName = keyof typeof tones;

export const toneOfState = (state: LineStateName): BadgeTone => tones[state];

/**
 * The most important fact about a line, for every place that shows it. First comes what its server lacks, then what
 * blocks its customer on purpose, then what may do so. Decision 0042: the browser concludes it, because it depends on
 * the day, time zone and language of the reader.
 */
export function stateOf(line: Line, today: Day): LineStateName {
  const missing = missingOn(line);
  if (missing) return missing;
  if (line.suspension) return 'suspended';
  if (line.expiry_date < today) return 'ended';
  if (line.server_away_since) return 'away';
  if (line.sync_state === 'pending') return 'pending';
  if (line.taken === 'waiting') return 'notRead';
  // Sessions were read, so an online line must have been loaded.
  if (line.taken === 'unknown' && line.presence.state !== 'online') return 'notKnown';
  if (line.name_problem) return 'longName';
  if (line.expiry_date === today) return 'today';
  return line.is_trial ? 'trial' : 'works';
}

/** States of a line that works by its former account, or whose former account lets its customer in as well. */
const formerStates = {
  WORKS_AS: 'worksAs',
  WORKS_ON: 'worksOn',
  FORMER_STAYS: 'formerStays',
} as const satisfies Record<string, LineStateName>;

const hasState = (code: string): code is keyof typeof formerStates =>
  Object.hasOwn(formerStates, code);

type Former = Pick<Line, 'sync_state' | 'sync_finding' | 'suspension'>;

/** The state of a line that still works under its former name or on its former server; undefined for any other. */
export function formerState({ sync_state, sync_finding, suspension }: Former) {
  const code: string = sync_finding?.code ?? '';
  return sync_state === 'failed' && !suspension && hasState(code) ? formerStates[code] : undefined;
}

/** The name with which a customer signs in: the former one, until the server has accepted the new one. */
export function signInName(line: Former & Pick<Line, 'username'>): string {
  const { works_as } = line.sync_finding?.data ?? {};
  return formerState(line) === 'worksAs' && works_as ? works_as : line.username;
}

/** True if the operator of the server already has the name in a file there, so that the line was never delivered. */
export function isNameTaken({ sync_state, sync_finding, on_server }: Line): boolean {
  const code: string = sync_finding?.code ?? '';
  return sync_state === 'failed' && !on_server && /^(KEPT|SHARED)_BY_HAND$/.test(code);
}

/** The state of a line that its server lacks, or whose last change it lacks; null if it has both. */
function missingOn(line: Line): LineStateName | null {
  const { on_server, suspension } = line;
  const isBehind = line.sync_state !== 'synced' || !(on_server || suspension);
  const isAway = line.server_away_since !== null || line.sync_finding?.code === 'PUSH_NOT_REACHED';
  if (isBehind && isAway && (on_server || !suspension))
    return on_server ? 'awayChange' : 'awayLine';
  const problem = syncProblem(line);
  if (!problem || isPending(line.sync_finding)) return null;
  if (line.sync_state === 'synced') return 'lost';
  if (problem === 'line' && isNameTaken(line)) return 'nameTaken';
  return formerState(line) ?? (problem === 'change' ? 'refusedChange' : 'refused');
}

export type ReceiverState = 'online' | 'offline' | 'never' | 'oldPassword';

/** The state of the customer's receiver; null if the server does not report who is online. */
export function receiverOf(
  { presence: { state, last_seen_at } }: Pick<Line, 'presence'>,
  passwordSetAt: string | null,
): ReceiverState | null {
  if (state === 'unknown') return null;
  if (state === 'online') return 'online';
  if (last_seen_at === null) return 'never';
  const isSince = passwordSetAt !== null && Date.parse(passwordSetAt) > Date.parse(last_seen_at);
  return isSince ? 'oldPassword' : 'offline';
}
