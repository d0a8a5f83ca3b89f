import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const importPage = '/users/import';
const cardServer = new CardServer();

/** Uploads a file with the given name and content. */
async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

const problem = (page: Page) => page.getByRole('alert');

/** Proves that the page is not blocked, by importing another file. */
async function expectThatPageAnswers(page: Page): Promise<void> {
  await choose(page, 'small.csv', 'username;password;months\nann;tulip-1;3\nbob;tulip-2;1\n');
  await expect(page.getByText('small.csv')).toBeVisible();
  await expect(page.getByText('2 rows')).toBeVisible();
  await expect(problem(page)).toHaveCount(0);
  await expect(page.getByLabel('Import months as')).toHaveValue('subscription_months');
}

test.beforeAll(() => cardServer.start());
test.afterAll(() => cardServer.remove());
test.beforeEach(({ page }) => signIn(page, 'reseller', importPage));

test('a file of 130,000 rows is refused by their number, and the page goes on', async ({
  page,
}) => {
  const rows = Array.from({ length: 130_000 }, (_, index) => `line-${index};password-${index};1`);
  await choose(page, 'all.csv', ['username;password;months', ...rows].join('\n'));
  await expect(problem(page)).toHaveText(
    'Rows in the file: 130,000. At most 20,000 can be imported at a time. Split the file.',
  );
  await expect(page.getByRole('button', { name: 'Check the file' })).toHaveCount(0);
  await expectAccessible(page);
  await expectThatPageAnswers(page);
});

test('a file of 50,000 columns is refused by their number, and the page goes on', async ({
  page,
}) => {
  const wide = Array.from({ length: 50_000 }, (_, index) => `column-${index}`).join(';');
  await choose(page, 'wide.csv', `${wide}\nann;tulip-1;3\n`);
  await expect(problem(page)).toHaveText(
    'Columns in the file: 50,000. At most 100 can be read. Remove those that are not needed.',
  );
  await expect(page.getByRole('combobox')).toHaveCount(0);
  await expectThatPageAnswers(page);
});

test('a file of more than 10 MB is refused by its size', async ({ page }) => {
  await choose(page, 'large.csv', 'x'.repeat(11 * 1024 * 1024));
  await expect(problem(page)).toHaveText('The file is 11 MB; the limit is 10 MB.');
  await expectThatPageAnswers(page);
});

test('a quote that does not close is named by its line', async ({ page }) => {
  const rows = ['username;password;months', 'ann;tulip-1;3', 'bob;"tulip-2;1', 'cid;tulip-3;1'];
  await choose(page, 'quote.csv', rows.join('\r\n'));
  await expect(problem(page)).toHaveText(
    'The quotes in line 3 of the file do not match: a cell that begins with a quote has to end with one.',
  );
  await expectThatPageAnswers(page);
});

test('the hint of a spreadsheet is obeyed and is no row', async ({ page }) => {
  await choose(page, 'hint.csv', 'sep=,\r\nusername,password,months\r\nann,"a;b",3\r\n');
  await expect(page.getByText('1 row')).toBeVisible();
  await expect(page.getByLabel('Import username as')).toHaveValue('username');
  await expect(page.getByLabel('The first row contains the column names')).toBeChecked();
});

test('states and dates that only a person knows are asked once for the file', async ({ page }) => {
  const last = formatDay(addDays(today(ZONE), 40));
  const stamp = unique();
  const [one, two, three] = [`one-${stamp}`, `two-${stamp}`, `three-${stamp}`];
  await choose(
    page,
    'lines.csv',
    `user;pass;status;notes\n${one};pw-1;Banned;until ${last}\n${two};pw-2;VIP;${last}\n${three};pw-3;gone;\n`,
  );
  const banned = page.getByLabel('Import Banned as');
  await banned.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(banned).toHaveValue('off');
  await page.getByLabel('Import VIP as').selectOption('On');
  await page.getByLabel('Import gone as').selectOption('Do not import');
  const check = page.getByRole('button', { name: 'Check the file' });
  await page.getByLabel('Dates in comments').selectOption('d-m-y');
  await expect(page.getByText('Read as expiry date: 2 of 2')).toBeVisible();
  await expectAccessible(page);
  await check.click();
  await expect(page.getByText('Valid rows: 2')).toBeVisible();
  await expect(page.getByText('Suspended').first()).toBeVisible();
  await expect(page.getByRole('rowheader', { name: two })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: three })).toHaveCount(0);
});

test('a workbook is refused in words', async ({ page }) => {
  await choose(page, 'lines.xlsx', Buffer.from('504b030414000600080000002100', 'hex'));
  await expect(problem(page)).toContainText('Save it as CSV');
  await expectThatPageAnswers(page);
});

test('letters of an older encoding are read, and said to be', async ({ page }) => {
  const bytes = Buffer.from('username;password;months;name\nann;tulip-1;3;J\xfcrgen\n', 'latin1');
  await choose(page, 'ansi.csv', bytes);
  await expect(page.getByText('Jürgen')).toBeVisible();
  await expect(page.getByText(/^Read as Windows-1252\./)).toBeVisible();
});

test('reading a large file shows a status and can be cancelled', async ({ page }) => {
  const status = page.getByRole('status').filter({ hasText: 'Reading' });
  // Delays the worker's code.
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/read-file\.worker/, async (route) => {
    await isReleased;
    await route.continue().catch(() => {});
  });
  await choose(page, 'first.csv', 'username;password\nann;tulip-1\n');
  await expect(status).toHaveText('Reading first.csv…');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(status).toHaveCount(0);

  await choose(page, 'second.csv', 'username;password\nann;tulip-1\n');
  await expect(status).toHaveText('Reading second.csv…');
  await choose(page, 'third.csv', 'username;password\nann;tulip-1\nbob;tulip-2\n');
  await expect(status).toHaveText('Reading third.csv…');
  release();
  await expect(page.getByText('third.csv')).toBeVisible();
  await expect(page.getByText('2 rows')).toBeVisible();
  await expect(page.getByText(/first\.csv|second\.csv/)).toHaveCount(0);
});

test('a column of days costs what covers each, as the dry run says, and is undone', {
  tag: '@both',
}, async ({ page, addServer }) => {
  // Lines go to the newest server. This one responds, unlike those of other tests, which may have stopped.
  await addServer(`Days ${unique()}`, cardServer);
  const name = `dated-${unique()}`;
  const [soon, later] = [addDays(today(ZONE), 20), addMonths(today(ZONE), 9)];
  const dotted = formatDay(soon).replaceAll('-', '.');
  const rows = [
    'username;password;expiry',
    `${name}-a;tulip-1;${dotted}`,
    `${name}-b;tulip-2;${later}`,
    `${name}-c;tulip-3;01-01-2020`,
    `${name}-d;tulip-4;01-01-2100`,
  ];
  await choose(page, 'days.csv', rows.join('\n'));
  await expect(page.getByLabel('Import expiry as')).toHaveValue('expiry_date');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByText('Valid rows: 2, with problems: 2')).toBeVisible();
  // Rows with a choice are columns of the file.
  const isColumn = page.getByRole('combobox');
  const row = (end: string) =>
    page.getByRole('row').filter({ hasText: `${name}-${end}`, hasNot: isColumn });
  await expect(row('a')).toContainText(`valid until ${formatDay(soon)}`);
  await expect(row('b')).toContainText(`valid until ${formatDay(later)}`);
  await expect(row('c')).toContainText('Invalid expiry date format. Expected DD-MM-YYYY format.');
  await expect(row('d')).toContainText('01-01-2100 is not a date between 1900 and 2099.');
  await expectAccessible(page);
  await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  await page.getByLabel('Import only the valid rows').check();
  await page.getByRole('button', { name: 'Import 2 lines for 12 credits' }).click();
  const result = page.getByRole('dialog', { name: 'Import of 2 lines' });
  await expect(result).toContainText('2 done, 1 skipped');
  await expect(result).toContainText('12 credits');
  await expect(row('b')).toContainText(formatDay(later));
  // The undo restores everything, including lines that are on their server.
  const api = await apiOf('reseller');
  await expect
    .poll(async () => {
      const { items } = await api.get(`/api/lines?q=${name}`);
      return items.map(({ sync_state }: { sync_state: string }) => sync_state);
    })
    .toEqual(['synced', 'synced']);
  await result.getByRole('button', { name: 'Undo' }).click();
  const question = page.getByRole('dialog', { name: /^Undo “/ });
  await expect(question).toContainText('Refunded: 12 credits.');
  await question.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('dialog', { name: /^Undone/ })).toContainText('2 done');
  await page.goto(`/users/all?q=${name}`);
  await expect(page.getByText('No results')).toBeVisible();
  await expect(row('a')).toHaveCount(0);
});

test('an administrator’s file says whose each line is; an owner that is not there is told', {
  tag: '@both',
}, async ({ page, newAccount, admin }) => {
  const owner = await newAccount({ full_name: 'Ola Sroka' });
  const name = `owned-${unique()}`;
  const rows = [
    'username;password;months;Reseller',
    `${name}-a;tulip-1;1;${owner.email}`,
    `${name}-b;tulip-2;1;`,
    `${name}-c;tulip-3;1;nobody-${owner.email}`,
  ];
  await signIn(page, 'admin', importPage);
  await choose(page, 'owned.csv', rows.join('\n'));
  const column = page.getByLabel('Import Reseller as');
  await expect(column).toHaveValue('owner');
  await expect(column.getByRole('option', { selected: true })).toHaveText('Owner (email)');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByText('Valid rows: 2, with problems: 1')).toBeVisible();
  await expect(page.getByText('Owner (email): User not found')).toBeVisible();
  await page.getByLabel('Import only the valid rows').check();
  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  const result = page.getByRole('dialog', { name: 'Import of 2 lines' });
  await expect(result).toContainText(/2 done,.*1 skipped/);
  await result.getByRole('button', { name: 'Close' }).last().click();
  await page.goto(`/users/all?q=${name}&owner=${owner.id}`);
  await expect(page.getByText(`${name}-a`, { exact: true })).toBeVisible();
  await expect(page.getByText(`${name}-b`, { exact: true })).toHaveCount(0);
  const { items } = await admin.get(`/api/lines?q=${name}`);
  for (const { id } of items) await admin.delete(`/api/lines/${id}`);
});
