import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { rowOf, sidewaysOverflow } from '../support/page.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

async function choose(page: Page, name: string, content: string): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
}

const expectToFit = (page: Page) => expect.poll(() => sidewaysOverflow(page)).toBe(0);

test.beforeEach(({ page }) => signIn(page, 'admin', '/users/import'));

test('a CCcam.cfg is recognised, and says what is not taken over', { tag: '@both' }, async ({
  page,
}) => {
  const name = unique();
  const rows = [
    `F: ${name}-a pw-a 2 0 1 { 0:0:2 } # until 31-12-2027`,
    `F: ${name}-b pw-b 1`,
    `F: ${name}-c pw-c # 31-12-2027 or 31-01-2028`,
    `#F: ${name}-d pw-d # until 31-12-2027`,
    `F: ${name}-ü pw-e # 31-12-2027`,
    `F: ${name}-wohnzimmer-1 pw-f # 31-12-2027`,
    `F: ${name}-wohnzimmer-2 pw-g # 31-12-2027`,
  ];
  await choose(page, 'CCcam.cfg', `${rows.join('\n')}\n`);
  await expect(page.getByText('6 rows, CCcam.cfg')).toBeVisible();
  await expect(page.getByText('hops (2), emus and EMMs (1), share limits (1)')).toBeVisible();
  await expect(page.getByText(/characters outside ASCII, rows: 5\./)).toBeVisible();
  await expect(page.getByText('Lines that are commented out are not read. Rows: 4.')).toBeVisible();
  // The page lists names that a sale refuses, and their replacements.
  const names = page.locator('main');
  await expect(names).toContainText('Usernames with the same first 20 bytes, rows: 6, 7.');
  await expect(names).toContainText(
    'If the card server already has these lines, select that option below.',
  );
  await page.getByLabel('Import commented-out lines as suspended').check();
  await page.getByLabel('Dates in comments').selectOption('d-m-y');
  await page.getByLabel('Expiry date for rows without one').fill('31-01-2028');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByText('Valid rows: 4, with problems: 3')).toBeVisible();
  const row = (end: string) => page.getByRole('row').filter({ hasText: `${name}-${end}` });
  await expect(row('a')).toContainText('valid until 31-12-2027');
  await expect(row('b')).toContainText('valid until 31-01-2028');
  await expect(row('c')).toContainText('The row has several dates');
  await expect(row('d')).toContainText('Suspended');
  await expect(row('wohnzimmer-1')).toContainText('sends only the first 20 bytes of a username');
  await expectAccessible(page);
  await expectToFit(page);
  // On a phone the whole reason is below the name.
  const reason = page.getByText('The row has several dates');
  const rightOf = async (what: Locator) => {
    const box = await what.boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  expect(await rightOf(reason)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  // The same is true for the effect on a valid row.
  const becomes = row('d').locator('[data-tone]');
  expect(await becomes.evaluate((badge) => badge.scrollWidth - badge.clientWidth)).toBe(0);
  const table = row('d').locator('xpath=ancestor::section[1]');
  expect(await rightOf(becomes)).toBeLessThanOrEqual(await rightOf(table));
  await page.getByLabel('Import only the valid rows').check();
  await page.getByRole('button', { name: 'Import 4 lines' }).click();
  await expect(page.getByRole('dialog', { name: 'Import of 4 lines' })).toContainText('4 done');
  await page.goto(`/users/all?q=${name}-d`);
  await expect(rowOf(page, `${name}-d`)).toContainText('Suspended');
  // The same file is imported again: the page marks rows whose lines exist, or differ.
  await page.goto('/users/import');
  await choose(page, 'CCcam.cfg', `${rows[0]}\n${rows[1]?.replace('pw-b', 'pw-other')}\n`);
  await page.getByLabel('Dates in comments').selectOption('d-m-y');
  await page.getByLabel('Expiry date for rows without one').fill('31-01-2028');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(row('a')).toContainText('This line already exists');
  await expect(row('b')).toContainText('This line already exists. Fields that differ: Password');
  await expectAccessible(page);
  await expectToFit(page);
});

test('a column that nobody knows is named, and may be said to be a state', {
  tag: '@both',
}, async ({ page }) => {
  const name = unique();
  const rows = ['username,password,expiry,lock_device', `${name},pw,31.12.2027,1`];
  await choose(page, 'lines.csv', `${rows.join('\n')}\n`);
  await expect(page.getByText('lock_device (1)')).toBeVisible();
  await expect(page.getByText('If one of them marks lines as turned off')).toBeVisible();
  await expectToFit(page);
  await page.getByLabel('Import lock_device as').selectOption('disabled');
  await page.getByRole('button', { name: 'Check the file' }).click();
  const isColumn = page.getByRole('combobox');
  const row = page.getByRole('row').filter({ hasText: name, hasNot: isColumn });
  await expect(row).toContainText('Suspended');
});

test('a file in which nothing is a line says so', async ({ page }) => {
  await choose(page, 'CCcam.cfg', '# F: <username> <password>\n');
  await expect(
    page.getByText('No lines were found when reading the file as CCcam.cfg.'),
  ).toBeVisible();
  await choose(page, 'lines.csv', 'u\0s\0e\0r\0,\0p\0a\0s\0s\0\n\0');
  await expect(
    page.getByText('This is not a text file, or its characters cannot be read.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check the file' })).toHaveCount(0);
  await choose(page, 'lines.csv', 'user,pass,expiry\n');
  await expect(page.getByText('No row can be imported.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check the file' })).toBeDisabled();
});

test('columns of another panel are read by their own headings', async ({ page }) => {
  const name = unique();
  const rows = [
    'username,password,exp_date,admin_enabled,enabled,admin_notes,bouquet',
    `${name}-on,pw,1830340800,1,1,NULL,[1]`,
    `${name}-off,pw,1830340800,0,1,,[1]`,
    `${name}-hash,$2y$10$abc,1830340800,1,1,,[1]`,
    `${name}-long,pw,1830340800,1,1,,[1],more`,
  ];
  await choose(page, 'lines.csv', `${rows.join('\n')}\n`);
  await expect(page.getByText('bouquet (2)')).toBeVisible();
  await expect(page.getByLabel('Import admin_enabled as')).toHaveValue('enabled');
  await page.getByRole('button', { name: 'Check the file' }).click();
  const isColumn = page.getByRole('combobox');
  const row = (end: string) =>
    page.getByRole('row').filter({ hasText: `${name}-${end}`, hasNot: isColumn });
  await expect(row('on')).toContainText('valid until 01-01-2028');
  await expect(row('off')).toContainText('Suspended');
  await expect(row('hash')).toContainText('Password: This is the hash of a password');
  await expect(row('long')).toContainText('The row has 8 cells, but there are 7 headings');
  await expectAccessible(page);
});

test('a file of accounts is checked, and creates them with their credits', async ({ page }) => {
  const name = unique();
  const [above, below] = [`above-${name}@panel.example`, `below-${name}@panel.example`];
  const rows = [
    'email,group,credits,owner,shoe size',
    `${below},,,${above},`,
    `${above},Resellers,50,,44`,
    `bad-${name}@panel.example,Nobodies,,,`,
  ];
  await choose(page, 'accounts.csv', `${rows.join('\n')}\n`);
  await expect(page.getByText('These rows are accounts.')).toBeVisible();
  await expect(page.getByText('shoe size')).toBeVisible();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByText('New accounts: 2, with problems: 1')).toBeVisible();
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await expect(row(`below-${name}`)).toContainText(`new, below ${above}`);
  await expect(row(`bad-${name}`)).toContainText('Group not found');
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByLabel('Import only the valid rows').check();
  await page.getByRole('button', { name: 'Create accounts' }).click();
  await expect(page.getByText('Accounts created: 2')).toBeVisible();
  await expect(page).toHaveURL(/\/accounts/);
});

test('lines that their card server has already keep their names', async ({ page }) => {
  const long = `${unique()}-in-the-living-room`;
  await choose(page, 'CCcam.cfg', `F: ${long} pw # 31-12-2027\n`);
  await page.getByLabel('Dates in comments').selectOption('d-m-y');
  await page.getByLabel('The card servers already have these lines').check();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByText('Valid rows: 1')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByRole('dialog', { name: 'Import of 1 line' })).toContainText('1 done');
});

test('of a long file the rows with problems are shown, and others in pages', async ({ page }) => {
  const name = unique();
  const rows = Array.from({ length: 450 }, (_, row) => `F: ${name}-${row} pw # 31-12-2027`);
  await choose(page, 'CCcam.cfg', `${rows.join('\n')}\nF: ${name}-last pw # 13 May 2027\n`);
  await page.getByLabel('Dates in comments').selectOption('d-m-y');
  await page.getByRole('button', { name: 'Check the file' }).click();
  const shown = page.getByRole('row').filter({ hasText: name });
  await expect(shown).toHaveCount(1);
  await page.getByLabel('Only rows with problems').uncheck();
  await expect(shown).toHaveCount(200);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(shown).toHaveCount(400);
});
