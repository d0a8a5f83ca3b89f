import { expectAccessible } from '../support/accessible.ts';
import { OFFLINE, waitUntilBuildIsStored } from '../support/offline.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test.use({ serviceWorkers: 'allow' });

const WAITS = 'This will be sent as soon as there is one.';

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a ticket written without a connection is sent once, by one of two tabs', async ({
    page,
    context,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
    const owner = await apiOf(account);
    await signIn(page, account, '/tickets/new');
    await waitUntilBuildIsStored(page);
    await context.setOffline(true);
    await page.getByLabel('Title').fill('Lost phone');
    await page.getByRole('textbox', { name: 'Description' }).fill('I cannot sign in');
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await expect(page.getByText(WAITS)).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByText(WAITS)).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveValue('Lost phone');
    const second = await context.newPage();
    await second.goto('/tickets');
    await expect(second.getByText(OFFLINE)).toBeVisible();

    await context.setOffline(false);
    await expect(page.getByText(WAITS)).toHaveCount(0);
    await expect(page.getByLabel('Title')).toHaveValue('');
    await expect
      .poll(async () => (await owner.get('/api/tickets')).items)
      .toMatchObject([{ title: 'Lost phone' }]);
    await second.reload();
    await expect(second.getByText('Lost phone').first()).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Title')).toHaveValue('');
    expect((await owner.get('/api/tickets/counts')).all).toBe(1);
  });
});

test('a reply waits too, is not sent once it is taken back or changed, and then is as it stands', async ({
  page,
  context,
  newAccount,
}) => {
  const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
  const owner = await apiOf(account);
  const { ticket } = await owner.post('/api/tickets', { title: 'Slow', description: 'It is slow' });
  await signIn(page, account, `/tickets/${ticket.id}`);
  const box = page.getByRole('textbox', { name: 'Reply' });
  const send = page.getByRole('button', { name: /^Send/ });
  await box.fill('Still slow');
  await waitUntilBuildIsStored(page);
  const replies = async () => {
    const { items } = await owner.get(`/api/tickets/${ticket.id}/replies`);
    return items.map(({ content }: { content: string }) => content);
  };

  await context.setOffline(true);
  await send.click();
  await expect(page.getByText(WAITS)).toBeVisible();
  await page.getByRole('button', { name: 'Do not send' }).click();
  await expect(page.getByText(WAITS)).toHaveCount(0);
  await expect(box).toHaveValue('Still slow');
  await send.click();
  await expect(page.getByText(WAITS)).toBeVisible();
  await box.fill('Still very slow');
  await expect(page.getByText(WAITS)).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByText(OFFLINE)).toHaveCount(0);
  await page.reload();
  await expect(box).toHaveValue('Still very slow');
  expect(await replies()).toEqual([]);

  await context.setOffline(true);
  await send.click();
  await expect(page.getByText(WAITS)).toBeVisible();
  await page.goto('/tickets');
  await expect(page.getByText(OFFLINE)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Your reply was sent')).toBeVisible();
  expect(await replies()).toEqual(['Still very slow']);
  await page.goto(`/tickets/${ticket.id}`);
  await expect(page.getByText('Still very slow')).toBeVisible();
  await expect(box).toHaveValue('');
});

test('what waits is not sent as somebody else who has signed in meanwhile', async ({
  page,
  context,
  newAccount,
}) => {
  const [writer, other] = [await newAccount(), await newAccount()];
  await signIn(page, writer, '/tickets/new');
  await waitUntilBuildIsStored(page);
  await context.setOffline(true);
  await page.getByLabel('Title').fill('My own');
  await page.getByRole('textbox', { name: 'Description' }).fill('Nobody else is to read this');
  await page.getByRole('button', { name: 'Create ticket' }).click();
  await expect(page.getByText(WAITS)).toBeVisible();
  await signIn(await context.newPage(), other, '/404');

  const answered = page.waitForResponse((reply) => reply.url().endsWith('/api/me') && reply.ok());
  await context.setOffline(false);
  await answered;
  await page.goto('/tickets');
  await expect(page.getByRole('heading', { name: 'Tickets', level: 1 })).toBeVisible();
  for (const account of [writer, other]) {
    expect((await (await apiOf(account)).get('/api/tickets/counts')).all).toBe(0);
  }
});

test('what the panel refuses stays a draft and says why', async ({
  page,
  context,
  admin,
  newAccount,
}) => {
  const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
  const owner = await apiOf(account);
  const { ticket } = await owner.post('/api/tickets', { title: 'Gone', description: 'Soon gone' });
  await signIn(page, account, `/tickets/${ticket.id}`);
  await page.getByRole('textbox', { name: 'Reply' }).fill('Anybody there?');
  await waitUntilBuildIsStored(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: /^Send/ }).click();
  await expect(page.getByText(WAITS)).toBeVisible();
  await page.goto('/tickets/new');
  await expect(page.getByText(OFFLINE)).toBeVisible();
  await admin.delete(`/api/tickets/${ticket.id}`);
  await context.setOffline(false);
  await expect(page.getByText('Something you wrote could not be sent.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open draft' })).toBeVisible();
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
