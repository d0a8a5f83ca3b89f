import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { linesList } from '@linekeeper/contract/lists/lists.ts';
import { expect, test } from 'vitest';
import { column, offeredColumns } from '#kit/list/columns.tsx';
import { besideLine, hiddenColumns } from './line-columns.ts';

const seller = { is_admin: false };
const offered = (reader: { is_admin: boolean }, search = {}) =>
  offeredColumns(linesList.columns, hiddenColumns(reader, search));

test('the owner is a column for administrators, and where lines of others are shown', () => {
  expect(offered({ is_admin: true })).toEqual(linesList.columns);
  expect(offered(seller)).toEqual(linesList.columns.filter((id) => id !== 'owner'));
  expect(offered(seller, { below: true })).toContain('owner');
  expect(offered(seller, { owner: '7' })).toContain('owner');
});

test('beside a line three columns are left, in their order, and the name gives way', () => {
  const all = [
    column.name<Line>('username', () => 'x', { width: { size: 148 } }),
    ...linesList.columns.map((id) => column.text<Line>(id, () => id)),
  ];
  const left = besideLine(all);
  expect(left.map(({ id }) => id)).toEqual(['username', 'expiry', 'status']);
  expect(left.map(({ width }) => width.size)).toEqual([140, 144, 144]);
});
