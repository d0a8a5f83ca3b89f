import { expect, it } from 'vitest';
import { shownItems } from './shown-items.ts';

const items = (count: number, state: string) =>
  Array.from({ length: count }, (_, position) => ({ position, state }));

it('shows all rows of a short list, skipped ones last', () => {
  const { rows, more } = shownItems([...items(2, 'skipped'), ...items(3, 'waiting')]);
  expect(rows.map(({ state }) => state)).toEqual([
    ...Array(3).fill('waiting'),
    ...Array(2).fill('skipped'),
  ]);
  expect(more).toBe(0);
});

it('reserves rows for problems in a list of thousands', () => {
  const { rows, more } = shownItems([...items(9_000, 'waiting'), ...items(500, 'skipped')]);
  expect(rows).toHaveLength(200);
  expect(rows.filter(({ state }) => state === 'skipped')).toHaveLength(100);
  expect(more).toBe(9_300);
});

it('fills the limit when there are few problems or few others', () => {
  expect(shownItems([...items(300, 'done'), ...items(2, 'failed')]).rows[199]?.state).toBe(
    'failed',
  );
  expect(shownItems([...items(2, 'done'), ...items(300, 'failed')]).rows).toHaveLength(200);
});
