import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { shownCredits, sidewaysOverflow } from '../support/page.ts';
import { openResults, resultOf } from '../support/results.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const CREDITS = 100;
const LINES = 5;
const cardServer = new CardServer();
let stamp = '';
let seller: Account;
let server_id = '';
/** Ids of the lines, the last one first. */
let lineIds: string[] = [];
const nameOf = (index: number) => `bulk-${stamp}-${index}`;
const expiryOf = (index: number) => formatDay(addDays(today(ZONE), 10 + index));

test.beforeAll(async ({ addServer }) => {
  await cardServer.start();
  server_id = await addServer(`Bulk ${cardServer.port}`, cardServer);
});
test.afterAll(() => cardServer.remove());

/** Each test has its own seller, with lines on the shared server. */
test.beforeEach(async ({ admin, newAccount }) => {
  stamp = unique();
  lineIds = [];
  seller = await newAccount({ credits: CREDITS });
  for (let index = LINES; index > 0; index--) {
    const { line } = await admin.post('/api/lines', {
      username: nameOf(index),
      password: `tulip-harbor-${index}`,
      expiry_date: expiryOf(index),
      server_id,
      owner_id: seller.id,
    });
    lineIds.push(line.id);
  }
});

/** Changes many lines in one job, as the seller, and waits until it ends. Returns the job. */
async function changeLines(change: Record<string, unknown>) {
  const api = await apiOf(seller);
  const { job } = await api.post('/api/lines/bulk', change);
  await expect.poll(async () => (await api.get(`/api/jobs/${job.id}`)).state).toBe('done');
  return { api, job };
}

const box = (page: Page, index: number) =>
  page.getByRole('checkbox', { name: `Select ${nameOf(index)}`, exact: true });
const row = (page: Page, index: number) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: nameOf(index) }) });
const credits = (page: Page, amount: number) => expect.poll(() => shownCredits(page)).toBe(amount);

test('lines chosen with Shift are renewed as previewed, on the card server too, and undone', {
  tag: '@main',
}, async ({ page }) => {
  await signIn(page, seller, '/users/all?sort=username');
  await box(page, 1).check();
  await box(page, 4).click({ modifiers: ['Shift'] });
  await expect(page.getByRole('checkbox', { name: /^Select bulk/, checked: true })).toHaveCount(4);
  await page.getByRole('button', { name: 'Renew 4 lines' }).click();

  const dialog = page.getByRole('dialog', { name: 'Renew 4 lines' });
  await dialog.getByRole('radio', { name: /^3 months/ }).check();
  const order = dialog.getByRole('button', { name: 'Renew 4 lines for 16 credits' });
  await expect(order).toHaveAttribute('aria-disabled', 'false');
  await expect(dialog.getByText('84 credits')).toBeVisible();
  await expectAccessible(page);
  const renewed = await dialog.getByRole('row').getByRole('cell').allInnerTexts();
  const [, newExpiry = ''] = renewed;
  expect(renewed.slice(0, 3)).toEqual([expiryOf(1), expect.stringMatching(/^[\d-]{10}$/), '4']);
  await order.click();

  const result = resultOf(page, '4 lines renewed for 16 credits');
  // A result stays while the pointer is on it.
  await result.hover();
  await expect(row(page, 1)).toContainText(newExpiry);
  await expect(row(page, 5)).toContainText(expiryOf(5));
  await credits(page, CREDITS - 16);
  const onServer = `expdate = ${newExpiry.split('-').reverse().join('-')}`;
  await expect.poll(() => cardServer.read('oscam.user')).toContain(onServer);
  await expectAccessible(page);

  await result.getByRole('button', { name: 'Undo' }).click();
  await expect(resultOf(page, 'Renewal of 4 lines undone')).toContainText('16 credits refunded');
  await expect(row(page, 1)).toContainText(expiryOf(1));
  await credits(page, CREDITS);
  await expect.poll(() => cardServer.read('oscam.user')).not.toContain(onServer);
});

test('a renewal is not told as a success while its server is down', async ({ page }) => {
  await cardServer.stop();
  await signIn(page, seller, '/users/all?sort=username');
  await box(page, 1).check();
  await box(page, 2).check();
  await page.getByRole('button', { name: 'Renew 2 lines' }).click();
  await page.getByRole('button', { name: 'Renew 2 lines for 4 credits' }).click();

  await expect(page.locator('#lines-list')).toBeFocused();
  const results = await openResults(page);
  const kept = results.getByRole('listitem').first();
  await expect(kept).toContainText('2 lines renewed for 4 credits');
  await expect(kept).toContainText(/2 pending on .+, sent automatically/);
  await expectAccessible(page);
  await kept.getByRole('link', { name: '2 lines renewed for 4 credits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Renewal of 2 lines' });
  await expect(dialog.getByRole('row', { name: /Not on server.*connection refused/ })).toHaveCount(
    2,
  );
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Show lines not on server' }).click();
  await expect(page.getByRole('link', { name: /^Not on server \d/ })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(row(page, 5)).toHaveCount(0);
  for (const index of [1, 2]) await expect(row(page, index)).toContainText('Pending');

  await cardServer.start();
  await openResults(page);
  await expect(kept).not.toContainText('sent automatically');
  await kept.getByRole('button', { name: 'Undo' }).click();
  await expect(kept).toContainText('Renewal of 2 lines undone');
  await expect(kept).toContainText('4 credits refunded');
  await page.keyboard.press('Escape');
  await credits(page, CREDITS);
});

test('a reload keeps the details of a job, which the list of jobs leads to', async ({ page }) => {
  const ids = lineIds.slice(1);
  const { api, job } = await changeLines({ action: 'renew', ids, subscription_months: 1 });
  await api.post(`/api/jobs/${job.id}/undo`);
  await signIn(page, seller, '/users/all');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Recent jobs' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Renewal of 4 lines/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Renewal of 4 lines' });
  await expect(dialog.getByRole('rowheader')).toHaveCount(4);
  await page.reload();
  await expect(dialog.getByText('The job was undone.')).toBeVisible();
  await expectAccessible(page);
});

test('what is selected is downloaded as CSV, and nothing else', async ({ page }) => {
  await signIn(page, seller, '/users/all');
  await box(page, 2).check();
  await box(page, 5).check();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const stream = await (await downloading).createReadStream();
  const text = Buffer.concat(await stream.toArray()).toString('utf8');
  const [head = '', ...rows] = text.replace('\ufeff', '').trim().split('\r\n');
  expect(head.split(',')).toEqual(expect.arrayContaining(['"username"', '"expiry_date"']));
  const names = rows.map((line) => line.split(',')[0]).sort();
  expect(names).toEqual([`"${nameOf(2)}"`, `"${nameOf(5)}"`]);
});

test('a file with one wrong row imports nothing, or what is right of it', { tag: '@main' }, async ({
  page,
}) => {
  const rows = [
    // Other tests add servers too, so the newest may not be this test's.
    'Benutzername;Passwort;Monate;Server',
    `in-1-${stamp};pass-1;1;Bulk ${cardServer.port}`,
    `${nameOf(1)};pass-2;1;Bulk ${cardServer.port}`,
    `in-3-${stamp};pass-3;3;Bulk ${cardServer.port}`,
  ];
  await signIn(page, seller, '/users/import');
  const file = { name: 'lines.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.getByLabel('Import Monate as')).toHaveValue('subscription_months');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByText('Valid rows: 2, with problems: 1')).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(`^3 ${nameOf(1)}`) })).toContainText(
    'This line already exists',
  );
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  await expect(page.getByText('Balance after')).toHaveCount(0);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download rows with problems' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^import-problems-[\d-]{10}\.csv$/);
  const wrong = Buffer.concat(await (await download.createReadStream()).toArray()).toString('utf8');
  expect(wrong.split('\r\n')).toEqual([
    '\ufeff"Benutzername","Passwort","Monate","Server","Row","Reason"',
    expect.stringMatching(
      new RegExp(`^"${nameOf(1)}","pass-2","1",".*","3","(?:Username: )?This line already exists`),
    ),
    '',
  ]);
  await page.getByRole('radio', { name: 'Import only the valid rows' }).check();
  await expectAccessible(page);
  const jobs = /\/api\/jobs\/[\w-]+\?/;
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(jobs, async (route) => {
    await isAsked;
    await route.continue().catch(() => {});
  });
  await page.getByRole('button', { name: 'Import 2 lines for 6 credits' }).click();

  // If a dialog is closed before it shows a result, the header shows the result.
  await expect(page.getByRole('dialog', { name: 'Job' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  answer();
  await page.unroute(jobs);
  await expect(resultOf(page, '2 lines imported for 6 credits')).toContainText('1 skipped');
  const results = await openResults(page);
  await results.getByRole('link', { name: '2 lines imported for 6 credits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import of 2 lines' });
  await expect(dialog.getByText('2 done, 1 skipped')).toBeVisible();
  await expect(dialog.getByRole('row').nth(2)).toContainText(/^3\s*bulk-/);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('rowheader', { name: `in-3-${stamp}` })).toBeVisible();
  await credits(page, CREDITS - 6);
  await expect.poll(() => cardServer.read('CCcam.cfg')).toContain(`in-1-${stamp} pass-1`);
});

test('an import is undone: its lines go, here and from their server, and are refunded', async ({
  page,
}) => {
  const row = { password: 'pass', subscription_months: 1, server_id };
  const rows = [1, 3].map((nth) => ({ ...row, username: `in-${nth}-${stamp}` }));
  await changeLines({ action: 'import', rows });
  await expect.poll(() => cardServer.read('CCcam.cfg')).toContain(`in-1-${stamp} pass`);
  await signIn(page, seller, '/users/all?job=recent');
  await page.getByRole('button', { name: /^Import of 2 lines/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Import of 2 lines' });
  await dialog.getByRole('button', { name: 'Undo' }).click();
  const question = page.getByRole('dialog', { name: 'Undo “Import of 2 lines”?' });
  await expect(question).toContainText(
    'This deletes 2 lines from the panel and from their servers.',
  );
  await expect(question).toContainText('Refunded: 4 credits.');
  await question.getByRole('button', { name: 'Undo' }).click();
  const undone = page.getByRole('dialog', { name: 'Undone import of 2 lines' });
  await expect(undone.getByText('2 done')).toBeVisible();
  await expectAccessible(page);
  await undone.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('rowheader', { name: `in-3-${stamp}` })).toHaveCount(0);
  await credits(page, CREDITS);
  await expect.poll(() => cardServer.read('CCcam.cfg')).not.toContain(`in-1-${stamp} pass`);
});

test.describe('on a phone', () => {
  test.use({ viewport: smallPhone, hasTouch: true });

  test('the bar of a selection stays in reach, and lines are deleted', async ({ page }) => {
    await signIn(page, seller, '/users/all');
    await box(page, 5).tap();
    const bar = page.getByRole('region', { name: 'Selection' });
    await expect(bar).toBeInViewport({ ratio: 1 });
    await expect(bar.getByText('1 selected')).toBeVisible();
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'More actions' }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Delete 1 line' });
    await expect(dialog.getByRole('rowheader', { name: nameOf(5) })).toBeVisible();
    await expectAccessible(page);
    const overflow = await sidewaysOverflow(page);
    expect(overflow).toBe(0);
    await dialog.getByRole('button', { name: 'Delete 1 line' }).tap();
    await expect(page.getByText(nameOf(5), { exact: true })).toHaveCount(0);
    await expect.poll(() => cardServer.read('CCcam.cfg')).not.toContain(nameOf(5));
  });
});
