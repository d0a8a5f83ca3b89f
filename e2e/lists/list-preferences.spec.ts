import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

test('columns, density and a view of one’s own are there again in another browser', async ({
  page,
  browser,
  admin,
}) => {
  const person = {
    email: `prefers-${unique()}@linekeeper.example`,
    password: 'prefers-reseller-1',
  };
  await admin.post('/api/accounts', { ...person, group_id: '2', credits: 3 });
  const api = await apiOf(person);
  await api.post('/api/lines', { username: `own-${unique()}`, password: 'pw', is_trial: true });
  await signIn(page, person, '/users/all?expires=7d');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Next week');
  // Loading another page immediately would abort the request that saves the choice.
  const saved = page.waitForResponse(
    (reply) => reply.request().method() === 'PATCH' && reply.url().endsWith('/api/me/settings'),
  );
  await page.getByRole('button', { name: 'Save view' }).click();
  await saved;
  await page.goto('/users/all');
  await page.getByRole('button', { name: 'Compact rows' }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Notes').click();
  await page.getByRole('checkbox', { name: 'Server', exact: true }).click();
  await page.keyboard.press('Escape');
  const heads = ['Username', 'Online', 'Expiry', 'Status', 'Notes', 'Actions'];
  await expect(page.getByRole('columnheader')).toHaveText(heads);
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Linien' })).toBeVisible();

  const { cookies } = await page.context().storageState();
  const other = await browser.newContext({ storageState: { cookies, origins: [] } });
  const again = await other.newPage();
  await again.goto('/users/all');
  await expect(again.getByRole('heading', { level: 1, name: 'Linien' })).toBeVisible();
  await expect(again.getByRole('columnheader')).toHaveCount(heads.length);
  await expect(again.getByRole('link', { name: /^Next week/ })).toBeVisible();
  await expect(again.getByRole('button', { name: 'Kompakte Zeilen' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await other.close();
});
