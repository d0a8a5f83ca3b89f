import { expect, test } from 'vitest';
import type { SizedColumn } from './column.ts';
import { columnWidths } from './column-widths.ts';

type Sized = Pick<SizedColumn<never>, 'id' | 'kind' | 'look' | 'width'>;

const name: Sized = { id: 'name', kind: 'name', width: { size: 200, min: 140, scrolled: 208 } };
const status: Sized = { id: 'status', width: { size: 120, min: 100 } };
const server: Sized = { id: 'server', width: { size: 140, min: 100, max: 180 } };
const notes: Sized = { id: 'notes', look: 'words', width: { size: 200, min: 160, max: 480 } };

function fitted(columns: readonly Sized[], frameWidth: number) {
  const { fit, widths, total } = columnWidths(columns, frameWidth);
  return { fit, widths: Object.fromEntries(widths), total };
}

test('columns have their size where it fits, and grow into half of what is left', () => {
  expect(fitted([name, status, server], 500)).toEqual({
    fit: 'wide',
    widths: { name: 200, status: 120, server: 160 },
    total: 480,
  });
  // The columns get at most their maximum, and the name takes the rest.
  expect(fitted([name, status, server], 900).widths).toEqual({
    name: 200,
    status: 120,
    server: 180,
  });
});

test('sentences take all that is left, before any other column', () => {
  expect(fitted([name, server, notes], 740).widths).toEqual({ name: 200, server: 140, notes: 400 });
});

test('columns shrink before the table scrolls, with a name that stays readable', () => {
  expect(fitted([name, status, server], 400)).toEqual({
    fit: 'narrow',
    widths: { name: 140, status: 100, server: 130 },
    total: 370,
  });
  expect(fitted([name, status, server], 300)).toEqual({
    fit: 'scrolls',
    widths: { name: 208, status: 120, server: 140 },
    total: 468,
  });
});

test('a frame that is not measured yet shares nothing', () => {
  expect(fitted([name, server], Number.POSITIVE_INFINITY).total).toBe(340);
});
