import type { Day } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { syncProblem } from '../../../shared/lines/sync.tsx';
import { isPending } from '../../../shared/lines/use-retry-sync.ts';
import type { BadgeTone } from '../../../shared/ui/badge.tsx';

/** Facts that the panel has besides the line itself; undefined before they are fetched. */
export interface LineFacts {
  today: Day;
  /** Since when the line's server does not answer. */
  awaySince: string | undefined;
  hasReadAll: boolean | undefined;
}

const tones = {
  works: 'success',
  trial: 'info',
  pending: 'info',
  notRead: 'warning',
  away: 'warning',
  awayChange: 'warning',
  refused: 'error',
  refusedChange: 'error',
  lost: 'error',
  today: 'error',
  ended: 'error',
  longName: 'warning',
  suspended: 'neutral',
} as const satisfies Record<string, BadgeTone>;

export type LineStateName = keyof typeof tones;

export const toneOfState = (state: LineStateName): BadgeTone => tones[state];

/** The one thing to say about a line: what keeps its customer out comes before what only may. */
export function stateOf(line: Line, { today, awaySince, hasReadAll }: LineFacts): LineStateName {
  if (line.suspension) return 'suspended';
  const missing = missingOn(line, awaySince);
  if (missing) return missing;
  if (line.expiry_date < today) return 'ended';
  if (line.sync_state === 'pending') return 'pending';
  if (line.name_problem) return 'longName';
  if (hasReadAll === false) return 'notRead';
  if (line.expiry_date === today) return 'today';
  return line.is_trial ? 'trial' : 'works';
}

/** Why the server lacks the line or its last change. */
function missingOn(line: Line, awaySince: string | undefined): LineStateName | null {
  const isBehind = line.sync_state !== 'synced' || !line.on_server;
  const isAway = awaySince !== undefined || line.sync_finding?.code === 'PUSH_NOT_REACHED';
  if (isBehind && isAway) return line.on_server ? 'awayChange' : 'away';
  const problem = syncProblem(line);
  if (!problem || isPending(line.sync_finding)) return null;
  if (line.sync_state === 'synced') return 'lost';
  return problem === 'change' ? 'refusedChange' : 'refused';
}
