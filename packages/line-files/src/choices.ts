import type { DateOrder, StateChoice } from '@linekeeper/contract/lines/import-limits.ts';
import { dateInComment } from './comment-date.ts';
import { type FoundLine, stateKey, withFacts } from './found-line.ts';

/** The choices of a person about a file; none is guessed. */
export interface FileChoices {
  /** The order of dates; null until it is chosen. */
  dates: DateOrder | null;
  /** The choice for each state, by its key. */
  states: Readonly<Record<string, StateChoice>>;
}

export const noChoices: FileChoices = { dates: null, states: {} };

/** The line with the state and the expiry date that result from the choices; refused if one of them was not made. */
export function withChoices(line: FoundLine, { dates, states }: FileChoices): FoundLine {
  const { asked, comment, fault } = line;
  const chosen = asked.map((state) => states[stateKey(state)]);
  const isOff = line.isSuspended || chosen.includes('off');
  const isSuspended = asked.length > 0 ? isOff : line.isSuspended;
  const isLeftOut = chosen.includes('leave_out');
  const decided = { ...line, isSuspended, isLeftOut };
  if (fault || isLeftOut) return decided;
  const open = asked[chosen.indexOf(undefined)];
  if (open) {
    const { field, value: text } = open;
    return { ...decided, fault: { field, code: 'STATE_WITHOUT_CHOICE', data: { text } } };
  }
  return withFacts(decided, () => ({ expiry: line.expiry ?? dateInComment(comment, dates) }));
}
