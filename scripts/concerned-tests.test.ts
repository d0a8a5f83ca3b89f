import { globSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { BROWSER_TESTS, concernedBrowserTests, concernedTests } from './concerned-tests.ts';
import { root } from './prepare.mjs';

const server = 'apps/server/src';
const sale = `${server}/features/lines/sell/create-line.ts`;
const saleTest = `${server}/features/lines/sell/create-line.test.ts`;
const price = `${server}/domain/credits/price.ts`;
const priceTest = `${server}/domain/credits/price.test.ts`;
const ticketTest = `${server}/features/tickets/create-ticket.test.ts`;
const panel = `${server}/testing/panel.ts`;
const fields = 'packages/contract/src/fields/fields.ts';
const fieldsTest = 'packages/contract/src/fields/fields.test.ts';
const pagesTest = 'scripts/guides/pages.test.ts';

const tests = [saleTest, priceTest, ticketTest, fieldsTest, pagesTest];
const imports = [
  [saleTest, panel],
  [ticketTest, panel],
  [panel, `${server}/app.ts`],
  [`${server}/app.ts`, sale],
  [sale, price],
  [ticketTest, fields],
] as const;
const concerned = (...changed: string[]) => concernedTests(changed, tests, imports);

test('a change concerns the tests beside it, not all that start a panel', () => {
  expect(concerned(sale)).toEqual([saleTest]);
});

test('a change concerns the tests beside what uses it', () => {
  expect(concerned(price)).toEqual([saleTest, priceTest]);
});

test('a change concerns the tests that import it, through helpers if it is one', () => {
  expect(concerned(fields)).toEqual([ticketTest, fieldsTest]);
  expect(concerned(panel)).toEqual([saleTest, ticketTest]);
  expect(concerned(ticketTest)).toEqual([ticketTest]);
});

test('a file without tests beside it has those of the folder above, and a guide those of guides', () => {
  expect(concerned('packages/contract/src/fields/names/bad.txt')).toEqual([fieldsTest]);
  expect(concerned('docs/how-to/import.md')).toEqual([pagesTest]);
  expect(concerned('e2e/lines/sale.spec.ts')).toEqual([]);
});

test('browser tests are those of the folder, or those that changed themselves', () => {
  expect(
    concernedBrowserTests([sale, 'e2e/lines/sale.spec.ts', 'e2e/shell/layout.spec.ts']),
  ).toEqual(['e2e/lines/', 'e2e/shell/layout.spec.ts']);
  expect(concernedBrowserTests([`${server}/db/schema/schema.ts`])).toEqual([]);
});

test('every feature of the web app has a folder of browser tests', () => {
  const features = readdirSync(join(root, 'apps/web/src/features'));
  const alone = features.filter(
    (name) => concernedBrowserTests([`apps/web/src/features/${name}/page.tsx`]).length === 0,
  );
  expect(alone).toEqual([]);
});

test('every folder that browser tests look at is there', () => {
  const folders = globSync('{apps,packages}/*/src/**/', { cwd: root }).map((path) =>
    basename(path),
  );
  const gone = Object.values(BROWSER_TESTS)
    .flat()
    .filter((name) => !folders.includes(name));
  expect(gone).toEqual([]);
});
