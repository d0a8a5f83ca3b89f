import {
  type LineDetailName,
  lineDetailNames,
  lineDetails,
  lineDetailsWith,
  ofLineDetails,
} from '@linekeeper/contract/fields/line-details.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { bulkEditFields } from '@linekeeper/contract/lines/bulk.ts';
import { lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import { fieldNamed, guessMapping } from '@linekeeper/line-files/csv-columns.ts';
import papaparse from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { previewBulk, runBulk, undoBulk } from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  const shop = await startTestShop();
  panel = shop.panel;
  seller = await panel.reseller({ credits: 50 });
  return shop.stop;
});

/** A value of a detail that no other line has. */
function detailValue(name: LineDetailName, of: string) {
  const word = `${name.replaceAll('_', '')}of${of}`;
  const { kind } = lineDetails[name];
  const place = ['sale', 'edit', 'job'].indexOf(of);
  if (kind === 'tel') return `+48 22 5550 01${place}8 (${place}) / 7-9`;
  if (kind === 'language') return languages[place];
  if (kind === 'price') return 1250 + place;
  if (kind === 'currency') return ['EUR', 'PLN', 'BRL'][place];
  if (kind === 'email') return `${word}@customers.example`;
  if (kind === 'url') return `https://customers.example/${word}`;
  return `Some ${word}`;
}

/** A value for every field that a sale, an edit, a job or a file can set. */
const valuesOf = (of: string) => ({
  ...ofLineDetails((name) => detailValue(name, of)),
  host_port: [`${of}.example:12000`],
  protocol: of === 'sale' ? 'newcamd' : 'cccam',
  status: [{ label: of, color: 'info' }],
});
type Values = ReturnType<typeof valuesOf>;
const fields = Object.keys(valuesOf('sale')) as (keyof Values)[];

/** Fields with rules of their own, which have tests of their own. */
const others =
  'username password expiry_date owner_id server_id plan_id sharing_exempt customer'.split(' ');

const pick = (from: Record<string, unknown>) =>
  Object.fromEntries(fields.map((field) => [field, from[field]]));
const read = async (id: string) => pick((await seller.client.get(`/api/lines/${id}`)).body);

async function sell(username: string) {
  const { status, body } = await seller.client.post(
    '/api/lines',
    newLine(username, valuesOf('sale')),
  );
  expect([status, body.code]).toEqual([201, undefined]);
  expect(pick(body.line)).toEqual(valuesOf('sale'));
  return body.line.id as string;
}

async function lastEntryOf(id: string) {
  const { items } = (await panel.admin.get(`/api/audit?q=${id}&limit=1`)).body;
  return items[0];
}

test('every field of a change is tested here or by itself', () => {
  expect(Object.keys(lineChanges.shape).sort()).toEqual([...fields, ...others].sort());
  expect([...bulkEditFields, 'status'].sort()).toEqual([...fields].sort());
});

describe('every field of a line', () => {
  test('is sold, edited and in the audit log', async () => {
    const id = await sell('edited');
    expect(await read(id)).toEqual(valuesOf('sale'));
    const { status, body } = await seller.client.patch(`/api/lines/${id}`, valuesOf('edit'));
    expect([status, body.code]).toEqual([200, undefined]);
    expect(pick(body.line)).toEqual(valuesOf('edit'));
    expect(await read(id)).toEqual(valuesOf('edit'));
    const { before, after } = await lastEntryOf(id);
    expect([pick(before), pick(after)]).toEqual([valuesOf('sale'), valuesOf('edit')]);
  });

  test('is changed with many lines, and put back', async () => {
    const id = await sell('many');
    const edit = { action: 'edit', ids: [id], ...valuesOf('job') };
    const [planned] = (await previewBulk(seller.client, edit)).items;
    expect([pick(planned?.before ?? {}), pick(planned?.after ?? {})]).toEqual([
      valuesOf('sale'),
      valuesOf('job'),
    ]);
    const job = await runBulk(seller.client, edit);
    expect(await read(id)).toEqual(valuesOf('job'));
    expect((await undoBulk(seller.client, job.id)).done).toBe(1);
    expect(await read(id)).toEqual(valuesOf('sale'));
    const { before, after } = await lastEntryOf(id);
    expect([pick(before), pick(after)]).toEqual([valuesOf('job'), valuesOf('sale')]);
  });

  test('is exported, and imported again from that file', async () => {
    const id = await sell('exported');
    const { body } = await seller.client.get('/api/lines/csv?q=exported');
    const { data } = papaparse.parse<string[]>(body.replace(/^\ufeff/, '').trim());
    const [headings = [], cells = []] = data;
    expect(headings).toEqual(expect.arrayContaining(fields));
    const mapping = guessMapping(headings);
    const found = mapping.flatMap((field, column) =>
      field && fields.some((name) => name === field) ? [[field, cells[column]]] : [],
    );
    expect((await seller.client.delete(`/api/lines/${id}`)).status).toBe(200);
    const row = { ...Object.fromEntries(found), username: 'imported', password: 'again' };
    const job = await runBulk(seller.client, {
      action: 'import',
      states: { sale: 'on' },
      rows: [{ ...row, subscription_months: '1' }],
    });
    expect(job.items.map(({ error }) => error)).toEqual([null]);
    expect(await read(job.items[0]?.line_id ?? '')).toEqual(valuesOf('sale'));
  });
});

describe('the customer of a line', () => {
  const { name, phone, language, price_minor, currency, notes } = valuesOf('edit');
  const given = { name, phone, language, price_minor, currency, note: notes };
  const sold = async (username: string) => {
    const { status, body } = await seller.client.post(
      '/api/lines',
      newLine(username, { customer: given }),
    );
    expect([status, body.code]).toEqual([201, undefined]);
    return body.line;
  };

  test('is one object, with the same values as its details', async () => {
    const line = await sold('grouped');
    expect(line).toMatchObject({ customer: given, name, phone, notes, price_minor });
    const { body } = await seller.client.patch(`/api/lines/${line.id}`, {
      customer: { phone: null, price_minor: 0 },
    });
    expect(body.line.customer).toEqual({ ...given, phone: null, price_minor: 0 });
    const { before, after, data } = await lastEntryOf(line.id);
    expect(data.fields).toEqual(['phone', 'price_minor']);
    expect([before, after]).toEqual([
      { phone, price_minor },
      { phone: null, price_minor: 0 },
    ]);
  });

  test('comes with a row of a file, whose price may have two decimals', async () => {
    const row = { username: 'row', password: 'pw', subscription_months: '1' };
    const job = await runBulk(seller.client, {
      action: 'import',
      rows: [
        { ...row, customer: given },
        { ...row, username: 'row-2', phone: "'+48 22 5550 0118", price_minor: '12,50' },
      ],
    });
    expect(job.items.map(({ error }) => error)).toEqual([null, null]);
    const [first, second] = job.items.map(({ line_id }) => line_id);
    expect((await seller.client.get(`/api/lines/${first}`)).body.customer).toEqual(given);
    expect((await seller.client.get(`/api/lines/${second}`)).body.customer).toMatchObject({
      phone: '+48 22 5550 0118',
      price_minor: 1250,
    });
  });

  test.each([
    ['phone', '1234', 'INVALID_PHONE'],
    ['phone', '+48 22 CALL ME', 'INVALID_PHONE'],
    ['phone', '123456789012345678901', 'INVALID_PHONE'],
    ['language', 'fr', 'INVALID_VALUE'],
    ['price_minor', 12.5, 'INVALID_VALUE'],
    ['price_minor', -1, 'NUMBER_TOO_SMALL'],
    ['currency', 'EURO', 'INVALID_VALUE'],
  ])('has no %s %j', async (field, value, code) => {
    const { status, body } = await seller.client.post(
      '/api/lines',
      newLine('refused', { customer: { [field]: value } }),
    );
    expect([status, body.data.field_codes]).toEqual([422, { [`customer.${field}`]: code }]);
  });
});

describe('every detail of a line', () => {
  test('has its name and its declared headings in files', () => {
    for (const name of lineDetailNames) {
      const headings = [name, ...(lineDetails[name].headings?.split(' ') ?? [])];
      expect(headings.map((heading) => fieldNamed(heading))).toEqual(headings.map(() => name));
    }
  });

  test('is found by the search if it is declared so', async () => {
    const id = await sell('searched');
    for (const name of lineDetailNames) {
      const word = String(detailValue(name, 'sale')).replace('Some ', '');
      const { items } = (await seller.client.get(`/api/lines?q=${word}`)).body;
      const isFound = items.some((line: { id: string }) => line.id === id);
      const isDeclared = lineDetailsWith('isSearched', true).some((one) => one === name);
      expect([name, isFound]).toEqual([name, isDeclared]);
    }
  });

  test.each(['', null])('is taken away by %j', async (none) => {
    const id = await sell(`emptied${none === null ? 0 : 1}`);
    const { status } = await seller.client.patch(
      `/api/lines/${id}`,
      ofLineDetails(() => none),
    );
    expect(status).toBe(200);
    const { host_port, protocol, status: labels } = valuesOf('sale');
    expect(await read(id)).toEqual({
      ...ofLineDetails((name) => lineDetails[name].whenEmpty ?? null),
      ...{ host_port, protocol, status: labels },
    });
  });
});
