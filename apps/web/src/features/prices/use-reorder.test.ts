import { expect, it } from 'vitest';
import { placeAt } from './use-reorder.ts';

const rows = [0, 56, 112, 168].map((top) => ({ top, bottom: top + 56 }));

it.each([
  ['stays in its own row', 1, 60, 1],
  ['stays before the middle of the next row', 1, 139, 1],
  ['takes the place of the next row past its middle', 1, 141, 2],
  ['takes the place of the row before past its middle', 1, 27, 0],
  ['passes several rows at once', 3, 10, 0],
  ['is the last one below the list', 0, 900, 3],
  ['is the first one above it', 2, -50, 0],
])('a row that is dragged %s', (_, from, height, place) => {
  expect(placeAt(rows, from, height)).toBe(place);
});
