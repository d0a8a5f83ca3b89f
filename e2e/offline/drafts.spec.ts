import { expectAccessible } from '../support/accessible.ts';
import { goOffline, goOnline, OFFLINE, waitUntilBuildIsStored } from '../support/offline.ts';
import { loseReply } from '../support/requests.ts';
import { apiOf, giveSession, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test.use({ serviceWorkers: 'allow' });

const UNREACHABLE = 'The panel cannot be reached.';

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a ticket written without a connection stays a draft, and is sent once by its writer', async ({
    page,
    context,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
    const owner = await apiOf(account);
    const create = page.getByRole('button', { name: 'Create ticket' });
    await signIn(page, account, '/tickets/new');
    await waitUntilBuildIsStored(page);
    await context.setOffline(true);
    await page.getByLabel('Title').fill('Lost phone');
    await page.getByRole('textbox', { name: 'Description' }).fill('I cannot sign in');
    await create.click();
    await expect(page.getByRole('main').getByText(UNREACHABLE)).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByText(OFFLINE)).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveValue('Lost phone');

    await goOnline(page);
    await page.goto('/tickets');
    await expect(page.getByRole('heading', { name: 'Tickets', level: 1 })).toBeVisible();
    expect((await owner.get('/api/tickets/counts')).all).toBe(0);
    await page.goto('/tickets/new');
    await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue(
      'I cannot sign in',
    );
    await create.click();
    await page.waitForURL(/\/tickets\/(?!new)/);
    await page.goto('/tickets/new');
    await expect(page.getByLabel('Title')).toHaveValue('');
    expect((await owner.get('/api/tickets')).items).toMatchObject([{ title: 'Lost phone' }]);
  });
});

test('a ticket whose reply was lost is there once, though it is sent again after a reload', async ({
  page,
  newAccount,
}) => {
  const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
  const owner = await apiOf(account);
  const create = page.getByRole('button', { name: 'Create ticket' });
  await signIn(page, account, '/tickets/new');
  await page.getByLabel('Title').fill('Lost phone');
  await page.getByRole('textbox', { name: 'Description' }).fill('I cannot sign in');
  await loseReply(page, '**/api/tickets');
  await create.click();
  await expect(page.getByRole('main').getByText(UNREACHABLE)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('Lost phone');
  await create.click();
  await page.waitForURL(/\/tickets\/(?!new)/);
  expect((await owner.get('/api/tickets/counts')).all).toBe(1);
});

test('a reply stays a draft too, is not sent by itself, and then is as it stands', async ({
  page,
  newAccount,
}) => {
  const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
  const owner = await apiOf(account);
  const { ticket } = await owner.post('/api/tickets', { title: 'Slow', description: 'It is slow' });
  await signIn(page, account, `/tickets/${ticket.id}`);
  const box = page.getByRole('textbox', { name: 'Reply' });
  const send = page.getByRole('button', { name: /^Send/ });
  const replies = async () => {
    const { items } = await owner.get(`/api/tickets/${ticket.id}/replies`);
    return items.map(({ content }: { content: string }) => content);
  };
  await box.fill('Still slow');
  await goOffline(page);
  await send.click();
  await expect(page.getByRole('main').getByText(UNREACHABLE)).toBeVisible();
  await expect(box).toHaveValue('Still slow');
  await box.fill('Still very slow');
  await goOnline(page);
  await page.reload();
  await expect(box).toHaveValue('Still very slow');
  expect(await replies()).toEqual([]);
  await send.click();
  await expect(box).toHaveValue('');
  expect(await replies()).toEqual(['Still very slow']);
});

test('what was written is not shown to somebody else who has signed in meanwhile', async ({
  page,
  newAccount,
}) => {
  const [writer, other] = [await newAccount(), await newAccount()];
  await signIn(page, writer, '/tickets/new');
  await page.getByLabel('Title').fill('My own');
  await page.getByRole('textbox', { name: 'Description' }).fill('Nobody else is to read this');
  await page.route('**/api/tickets', (route) => route.abort());
  await page.getByRole('button', { name: 'Create ticket' }).click();
  await expect(page.getByRole('main').getByText(UNREACHABLE)).toBeVisible();
  // The browser still remembers the writer when the page opens.
  await giveSession(page, other);
  await page.goto('/tickets/new', { waitUntil: 'commit' });
  await expect(page.getByLabel('Title')).toHaveValue('');
  for (const account of [writer, other]) {
    expect((await (await apiOf(account)).get('/api/tickets/counts')).all).toBe(0);
  }
});

test('what the panel refuses stays a draft and says why', async ({ page, admin, newAccount }) => {
  const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
  const owner = await apiOf(account);
  const { ticket } = await owner.post('/api/tickets', { title: 'Gone', description: 'Soon gone' });
  await signIn(page, account, `/tickets/${ticket.id}`);
  const box = page.getByRole('textbox', { name: 'Reply' });
  await box.fill('Anybody there?');
  await page.route('**/api/events*', (route) => route.abort());
  await page.route(`**/api/tickets/${ticket.id}`, (route) => route.abort());
  await admin.delete(`/api/tickets/${ticket.id}`);
  await page.getByRole('button', { name: /^Send/ }).click();
  await expect(page.getByRole('form').getByText(/not found/i)).toBeVisible();
  await expect(box).toHaveValue('Anybody there?');
});

test('nothing that was written can be read after signing out, in no tab', async ({
  page,
  context,
  newAccount,
}) => {
  const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
  const owner = await apiOf(account);
  const { ticket } = await owner.post('/api/tickets', { title: 'Own', description: 'Mine alone' });
  await signIn(page, account, `/tickets/${ticket.id}`);
  const second = await context.newPage();
  await second.goto('/tickets/new');
  await second.getByLabel('Title').fill('Secret title');
  await page.getByRole('textbox', { name: 'Reply' }).fill('Secret reply');
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(kept).toContain('Secret reply');
  await expect.poll(kept).toContain('Secret title');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname === '/sign-in');
  await second.waitForURL((url) => url.pathname === '/sign-in');
  expect(await kept()).not.toContain('Secret');
  await second.goto('/sign-in?again');
  expect(await kept()).not.toContain('Secret');
});
