import { linesList } from '@linekeeper/contract/lists/lists.ts';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import de from '#locales/de/common.json';
import en from '#locales/en/common.json';
import { formatDate, formatMoment } from '#platform/format/format-moment.ts';
import { column, drawnColumns, forAdmins, offeredColumns, titled } from './columns.tsx';

interface Row {
  credits: number;
  day: string;
  used_at: string | null;
}
// Noon in the time zone of the machine that runs the test.
const noon = new Date(2026, 10, 21, 12).toISOString();
const row: Row = { credits: 12_345, day: '2026-11-21', used_at: noon };

describe('which columns are drawn', () => {
  const declared = ['server', 'status', 'owner'];
  const columns = ['username', 'status', 'server', 'owner'].map((id) =>
    column.text<Row>(id, () => id),
  );
  const drawn = (chosen: readonly string[]) =>
    drawnColumns(columns, declared, chosen).map(({ id }) => id);

  test('those that the account chose, in the order of the table', () => {
    expect(drawn(['owner', 'status'])).toEqual(['username', 'status', 'owner']);
    expect(drawn(declared)).toEqual(['username', 'status', 'server', 'owner']);
  });

  test('the name, which nobody chooses, even if nothing else was chosen', () => {
    expect(drawn([])).toEqual(['username']);
  });

  test('nothing that is not offered to a role', () => {
    const hides = forAdmins('owner');
    const offered = (is_admin: boolean) => offeredColumns(declared, hides({ is_admin }, {}));
    expect(offered(true)).toEqual(declared);
    expect(offered(false)).toEqual(['server', 'status']);
    expect(offeredColumns(linesList.columns)).toEqual(linesList.columns);
  });

  test('each with the title of its list', () => {
    const titles = titled(columns, (id) => id.toUpperCase()).map(({ title }) => title);
    expect(titles).toEqual(['USERNAME', 'STATUS', 'SERVER', 'OWNER']);
  });
});

test('the kind of a column says its width, and an option of the list replaces a part of it', () => {
  const plain = column.count<Row>('credits', ({ credits }) => credits);
  expect(plain).toMatchObject({ id: 'credits', align: 'end', width: { size: 96, min: 84 } });
  const wide = column.count<Row>('credits', ({ credits }) => credits, { width: { size: 120 } });
  expect(wide.width).toEqual({ size: 120, min: 84 });
});

describe.each([
  ['en', en, '12,345'],
  ['de', de, '12.345'],
] as const)('cells in %s', (lng, common, count) => {
  const i18n = i18next.createInstance();
  beforeAll(() => i18n.init({ lng, resources: { [lng]: { common } }, defaultNS: 'common' }));
  const textOf = (cell: ReactNode) => {
    const html = renderToStaticMarkup(<I18nextProvider i18n={i18n}>{cell}</I18nextProvider>);
    return html.replaceAll(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');
  };

  test('numbers, days and moments are written as readers write them', () => {
    expect(textOf(column.count<Row>('credits', ({ credits }) => credits).cell(row))).toBe(count);
    expect(textOf(column.day<Row>('day', (one) => one.day).cell(row))).toBe('21-11-2026');
    expect(textOf(column.moment<Row>('used', (one) => one.used_at).cell(row))).toBe(
      formatMoment(noon, lng),
    );
    expect(textOf(column.day<Row>('used', (one) => one.used_at).cell(row))).toBe(
      formatDate(noon, lng),
    );
  });

  test('a value that is missing is an empty cell, and a part is drawn as it is', () => {
    const never = { ...row, used_at: null };
    expect(textOf(column.moment<Row>('used', (one) => one.used_at).cell(never))).toBe('');
    expect(textOf(column.count<Row>('credits', () => <i>free</i>).cell(row))).toBe('free');
  });
});
