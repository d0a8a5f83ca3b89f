import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();

test.beforeAll(() => cardServer.start());
test.afterAll(() => cardServer.remove());

test('a file of months extends lines that exist where that is chosen, and is undone', {
  tag: '@both',
}, async ({ page, addServer }) => {
  const name = `more-${unique()}`;
  const reseller = await apiOf('reseller');
  // The server responds, unlike those of other tests, which may have stopped.
  const server_id = await addServer(`More ${unique()}`, cardServer);
  const sold = { username: `${name}-a`, password: 'tulip-1', subscription_months: 1, server_id };
  const { line } = await reseller.post('/api/lines', sold);
  const day = addMonths(today(ZONE), 1);
  const later = addMonths(day, 12);

  await signIn(page, 'reseller', '/users/import');
  const choose = (text: string) =>
    page.locator('input[type="file"]').setInputFiles({
      ...{ name: 'months.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(text),
    });
  const extend = page.getByRole('checkbox', { name: 'Extend existing lines' });
  await choose('username;password;expiry\nann;tulip-1;31.12.2027\n');
  await expect(page.getByRole('button', { name: 'Check the file' })).toBeVisible();
  await expect(extend).toHaveCount(0);

  await choose(`username;months\n${name}-a;12\n${name}-b;1\n`);
  await expect(page.getByText('Not chosen yet: Password.')).toBeVisible();
  await extend.check();
  await expect(page.getByText('Not chosen yet')).toHaveCount(0);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByText('Valid rows: 1, with problems: 1')).toBeVisible();
  // Rows with a choice are columns of the file.
  const isColumn = page.getByRole('combobox');
  const row = (end: string) =>
    page.getByRole('row').filter({ hasText: `${name}-${end}`, hasNot: isColumn });
  await expect(row('a')).toContainText(`extended from ${formatDay(day)} to ${formatDay(later)}`);
  await expect(row('b')).toContainText('Username and password are required');
  await expectAccessible(page);
  await expect.poll(() => sidewaysOverflow(page)).toBe(0);

  await page.getByLabel('Import only the valid rows').check();
  await page.getByRole('button', { name: 'Import 1 line for 10 credits' }).click();
  const result = page.getByRole('dialog', { name: 'Import of 1 line' });
  await expect(result).toContainText('1 done, 1 skipped');
  expect((await reseller.get(`/api/lines/${line.id}`)).expiry_date).toBe(later);
  await result.getByRole('button', { name: 'Undo' }).click();
  const question = page.getByRole('dialog', { name: 'Undo “Import of 1 line”?' });
  await expect(question).toContainText('the extended ones get their previous expiry dates back');
  await expect(question).toContainText('Refunded: 10 credits.');
  await question.getByRole('button', { name: 'Undo' }).click();
  const undone = page.getByRole('dialog', { name: /^Undone/ });
  await expect(undone).toContainText('1 done');
  await expect(undone.getByText('10 credits', { exact: true })).toBeVisible();
  expect((await reseller.get(`/api/lines/${line.id}`)).expiry_date).toBe(day);
});
