import { expect, test } from 'vitest';
import { heldOrder } from './use-held-order.ts';

test('rows that were there keep their order, and new ones follow them', () => {
  const rows = ['new', 'b', 'a'].map((id) => ({ id }));
  expect(heldOrder(['a', 'gone', 'b'], rows).map(({ id }) => id)).toEqual(['a', 'b', 'new']);
});
