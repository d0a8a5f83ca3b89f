import { expect, it } from 'vitest';
import { shownItems } from './shown-items.ts';

const items = (count: number, state: string) =>
  Array.from({ length: count }, (_, position) => ({ position, state }));

it('shows all of a few, what is left out at the end', () => {
  const { rows, more } = shownItems([...items(2, 'skipped'), ...items(3, 'waiting')]);
  expect(rows.map(({ state }) => state)).toEqual([
    ...Array(3).fill('waiting'),
    ...Array(2).fill('skipped'),
  ]);
  expect(more).toBe(0);
});

it('keeps room for problems among thousands', () => {
  const { rows, more } = shownItems([...items(9_000, 'waiting'), ...items(500, 'skipped')]);
  expect(rows).toHaveLength(200);
  expect(rows.filter(({ state }) => state === 'skipped')).toHaveLength(100);
  expect(more).toBe(9_300);
});

it('fills the room where there are few of the one or the other', () => {
  expect(shownItems([...items(300, 'done'), ...items(2, 'failed')]).rows[199]?.state).toBe(
    'failed',
  );
  expect(shownItems([...items(2, 'done'), ...items(300, 'failed')]).rows).toHaveLength(200);
});
