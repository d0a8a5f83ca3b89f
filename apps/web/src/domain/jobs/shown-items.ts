/** Rows that are shown, at most; more would slow down the page without being more useful. */
const MOST_ROWS = 200;
const LEAST_PROBLEM_ROWS = 100;

interface Stateful {
  state: string;
}

/** Sorts rows by their position in the job. */
export function inFileOrder<Item extends { position: number }>(rows: readonly Item[]): Item[] {
  return [...rows].sort((one, other) => one.position - other.position);
}

const isProblem = ({ state }: Stateful) => state === 'failed' || state === 'skipped';

/**
 * Chooses the rows to show and counts the others. Problems come last, and keep at least half of the
 * rows if there are that many.
 */
export function shownItems<Item extends Stateful>(items: readonly Item[]) {
  if (items.length <= MOST_ROWS) {
    return { rows: [...sound(items), ...items.filter(isProblem)], more: 0 };
  }
  const problems = items.filter(isProblem);
  const fine = sound(items);
  const fineCount = Math.max(MOST_ROWS - problems.length, MOST_ROWS - LEAST_PROBLEM_ROWS);
  const first = fine.slice(0, fineCount);
  const rows = [...first, ...problems.slice(0, MOST_ROWS - first.length)];
  return { rows, more: items.length - rows.length };
}

function sound<Item extends Stateful>(items: readonly Item[]): Item[] {
  return items.filter((item) => !isProblem(item));
}
