import { expect, it } from 'vitest';
import { positionsAt } from './positions.ts';

const plans = (...positions: number[]) =>
  positions.map((position, index) => ({ id: `plan ${index + 1}`, position }));

it('puts a plan between two others without moving them', () => {
  expect(positionsAt(plans(0, 10, 20), 3)).toEqual({ own: 15, others: [] });
});

it('puts a plan behind all others', () => {
  expect(positionsAt(plans(0, 10), 3)).toEqual({ own: 20, others: [] });
});

it('moves others where there is no number between them', () => {
  expect(positionsAt(plans(0, 0), 1)).toEqual({
    own: 10,
    others: [
      { id: 'plan 1', position: 20 },
      { id: 'plan 2', position: 30 },
    ],
  });
  expect(positionsAt(plans(10, 11), 2)).toEqual({
    own: 20,
    others: [{ id: 'plan 2', position: 30 }],
  });
});

it('makes room behind a plan that has the highest position', () => {
  expect(positionsAt(plans(995), 2)).toEqual({
    own: 20,
    others: [{ id: 'plan 1', position: 10 }],
  });
});
