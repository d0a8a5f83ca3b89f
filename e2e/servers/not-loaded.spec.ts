import { stopServers } from '../../apps/server/src/domain/machines/card-server/testing/servers.ts';
import { startMemoryCardServer } from '../../apps/server/src/testing/card-servers/memory-card-server.ts';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { expectAccessible } from '../support/accessible.ts';
import { resultOf } from '../support/results.ts';
import { showAll } from '../support/show-all.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

// Servers of other tests would fill the card "Needs attention".
test.beforeAll(({ admin }) => takeServersBack(admin));
test.afterAll(async ({ admin }) => {
  await stopServers();
  await takeServersBack(admin);
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const taken = () => ({
  by: 'webif',
  ok: true,
  at: ago(60),
  ok_at: ago(60),
  code: null,
  waiting: 0,
});
const notLoaded = () => ({
  by: 'webif',
  ok: false,
  at: ago(20),
  ok_at: ago(540),
  code: 'WEBIF_SIGN_IN',
  data: { status: 401 },
  waiting: 4,
  since: ago(120),
  names: ['annegret.m', 'hotel-krone', 'cafe-linde'],
  cannot_connect: 4,
  still_names: ['was-let-in'],
  still_connect: 1,
});

test('what a card server has not taken stands on its card and page, and goes by itself', {
  tag: '@both',
}, async ({ page, admin, addServer }) => {
  const name = `Not taken ${unique()}`;
  const machine = await startMemoryCardServer();
  machine.tells = { zone: ZONE, reload: notLoaded() };
  machine.applied = false;
  const id = await addServer(name, machine);
  await signIn(page, 'admin', '/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(card).toContainText('4 changes delivered, not yet loaded by the card server');
  await expect(card).toContainText('OSCam’s web interface refuses the agent’s sign-in (401).');
  await expect(card).toContainText(
    'annegret.m, hotel-krone, cafe-linde and 1 more cannot connect until then.',
  );
  await expect(card).toContainText(
    'was-let-in is suspended or deleted here, but can still connect until',
  );
  await expect(card.getByRole('link', { name: 'annegret.m' })).toHaveAttribute(
    'href',
    '/users/all?q=annegret.m',
  );
  await expectAccessible(page);

  const readAgain = { name: `Reload accounts: ${name}` };
  await card.getByRole('button', readAgain).click();
  await expect(resultOf(page, 'refuses the agent’s sign-in (401)')).toBeVisible();

  await page.goto(`/cccam-servers/${id}`);
  const banner = page.getByRole('status').filter({ hasText: '4 changes delivered' });
  await expect(banner).toContainText('It has not reloaded its accounts since');
  await expectAccessible(page);
  machine.applied = true;
  machine.tells = { zone: ZONE, reload: taken() };
  await banner.getByRole('button', readAgain).click();
  await expect(page.getByText(`${name} has reloaded its accounts`)).toBeVisible();
  await expect(banner).toBeHidden();

  await page.goto('/cccam-servers/manage');
  await expect(card).toContainText('Through its web interface');
  machine.applied = false;
  machine.tells = { zone: ZONE, reload: { ...notLoaded(), waiting: 1, names: ['late'] } };
  await admin.post(`/api/servers/${id}/test`);
  await expect(card).toContainText('1 change delivered, not yet loaded by the card server');
  await expect(card).toContainText('late cannot connect until then.');
  machine.tells = { zone: ZONE, reload: taken() };
  await admin.post(`/api/servers/${id}/test`);
  await expect(card).not.toContainText('not yet loaded');
});

test('it stands among what needs attention and on the page of its tests, and so does another day', async ({
  page,
  admin,
  addServer,
}) => {
  const [late, other] = [`Late ${unique()}`, `Elsewhere ${unique()}`];
  const [first, second] = [await startMemoryCardServer(), await startMemoryCardServer()];
  first.tells = { zone: ZONE, reload: notLoaded() };
  second.tells = { zone: 'Pacific/Kiritimati', day: '2001-01-31', reload: taken() };
  const ids = [await addServer(late, first), await addServer(other, second)];
  await signIn(page, 'admin', '/');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await showAll(attention);
  await expect(attention).toContainText(`${late}: 4 changes not yet loaded`);
  await expect(attention).toContainText(`${other} has a different date`);
  await expect(attention).toContainText(
    'The card server has the date 31-01-2001 (Pacific/Kiritimati)',
  );
  await attention.getByRole('link', { name: `${late}: 4 changes not yet loaded` }).click();
  await expect(page).toHaveURL(new RegExp(`/cccam-servers/${ids[0]}$`));

  await page.getByRole('link', { name: 'Test', exact: true }).click();
  const step = (name: string) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  await expect(step('Loads changes: Failed')).toContainText('Not since');
  await page.goto(`/cccam-servers/${ids[1]}/test`);
  await expect(step('Same date as the panel: Failed')).toContainText('31-01-2001');

  await page.goto('/cccam-servers/manage?finding=another_day');
  await expect(page.getByRole('heading', { name: other })).toBeVisible();
  await expect(page.getByRole('heading', { name: late })).toBeHidden();
  for (const machine of [first, second]) machine.tells = { zone: ZONE, reload: taken() };
  for (const id of ids) await admin.post(`/api/servers/${id}/test`);
  await expect(page.getByRole('heading', { name: other })).toBeHidden();
});

test('a server that nobody tells says how to set it on its page, and is no alarm', async ({
  page,
  addServer,
}) => {
  const name = `Nobody ${unique()}`;
  const machine = await startMemoryCardServer();
  const reload = { by: null, ok: null, code: 'NOT_CONFIGURED', data: {}, waiting: 0 };
  machine.tells = { zone: ZONE, reload };
  const id = await addServer(name, machine);
  await signIn(page, 'admin', '/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(card).toContainText('Not automatically');
  await expect(card).not.toContainText('not yet loaded');
  await page.goto(`/cccam-servers/${id}`);
  await expect(page.getByText('Changes are not loaded automatically')).toBeVisible();
  await expect(page.getByText(/OSCAM_WEBIF_URL is the address.*RELOAD_COMMAND is/)).toBeVisible();
});

test('a sale beside a server that is slow is pending, not failed, and arrives', async ({
  page,
  admin,
  addServer,
}) => {
  const machine = await startMemoryCardServer();
  const name = `Slow ${unique()}`;
  const server_id = await addServer(name, machine);
  const gate = Promise.withResolvers<void>();
  machine.beforeChange = () => gate.promise;
  const username = `slow-${unique()}`;
  await signIn(page, 'admin', '/users/add');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.locator('input[name="password"]').fill('tulip-harbor-92-kite');
  await page.getByRole('radio', { name: /^1 month/ }).check();
  await page.getByLabel('Server').click();
  await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: /^Create line/ }).click();
  const told = page
    .getByRole('status')
    .filter({ hasText: 'delivery to CCcam server is pending' })
    .last();
  await expect(told).toContainText('The change is delivered as soon as the card server responds.');
  gate.resolve();
  await expect
    .poll(async () => {
      const { items } = await admin.get(`/api/lines?q=${username}&server_id=${server_id}`);
      return items[0].sync_state;
    })
    .toBe('synced');
});

test('a sale says first that its customer cannot connect yet, and turns green by itself', {
  tag: '@both',
}, async ({ page, addServer, isPhone }) => {
  const name = `Not read ${unique()}`;
  const machine = await startMemoryCardServer();
  machine.tells = { zone: ZONE, reload: notLoaded() };
  machine.applied = false;
  await addServer(name, machine);
  await signIn(page, 'admin', '/users/add');
  const sell = async () => {
    await page.getByRole('textbox', { name: 'Username' }).fill(`read-${unique()}`);
    // A phone folds values that were chosen automatically.
    if (isPhone) {
      await page.getByRole('button', { name: /^Password/, expanded: false }).click();
      await page.getByRole('button', { name: /^Server/, expanded: false }).click();
    }
    await page.locator('input[name="password"]').fill('tulip-harbor-92-kite');
    await page.getByRole('combobox', { name: 'Server' }).click();
    await page.getByRole('option', { name }).click();
    await page.getByRole('button', { name: /^Create line/ }).click();
  };
  await sell();
  await expect(page.getByRole('heading', { name: 'Line delivered, not loaded yet' })).toBeVisible();
  const waits = page.getByText('The card server has not loaded the line yet');
  await expect(waits).toBeInViewport();
  const [said, copy] = [
    await waits.boundingBox(),
    await page.getByRole('button', { name: 'Copy', exact: true }).boundingBox(),
  ];
  expect(said?.y).toBeLessThan(copy?.y ?? 0);
  await expectAccessible(page);
  machine.applied = true;
  machine.tells = { zone: ZONE, reload: taken() };
  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await expect(waits).toHaveCount(0);
  await expect(page.getByText(/^read-\d+ is synced$/)).toBeVisible();

  await page.getByRole('button', { name: 'Create another' }).click();
  machine.answersWith = { status: 503 };
  await sell();
  await expect(
    page.getByRole('heading', { name: 'Line saved, not on the server yet' }),
  ).toBeVisible();
  await expect(page.getByText(/^The line is saved\./)).toBeInViewport();
  await expectAccessible(page);
  machine.answersWith = null;
  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
});
