import type { DateOrder, StateChoice } from '@linekeeper/contract/lines/import-limits.ts';
import { dateInComment } from './comment-date.ts';
import { type FoundLine, stateKey, withFacts } from './found-line.ts';

/** What somebody said of a file; nothing of it is guessed. */
export interface FileChoices {
  /** Null until it is said. */
  dates: DateOrder | null;
  /** By the keys of states. */
  states: Readonly<Record<string, StateChoice>>;
}

export const noChoices: FileChoices = { dates: null, states: {} };

/** The line with the state and the last day that the choices give it; refused if one of them was not made. */
export function withChoices(line: FoundLine, { dates, states }: FileChoices): FoundLine {
  const { asked, comment, fault } = line;
  const meant = asked.map((state) => states[stateKey(state)]);
  const isOff = line.isSuspended || meant.includes('off');
  const isSuspended = asked.length > 0 ? isOff : line.isSuspended;
  const isLeftOut = meant.includes('leave_out');
  const said = { ...line, isSuspended, isLeftOut };
  if (fault || isLeftOut) return said;
  const open = asked[meant.indexOf(undefined)];
  if (open) {
    const { field, value: text } = open;
    return { ...said, fault: { field, code: 'STATE_WITHOUT_CHOICE', data: { text } } };
  }
  return withFacts(said, () => ({ expiry: line.expiry ?? dateInComment(comment, dates) }));
}
