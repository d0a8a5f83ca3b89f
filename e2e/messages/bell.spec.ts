import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { storeDirectly } from '../support/database.ts';
import { outageOf, outagesWith } from '../support/outages.ts';
import { resultOf } from '../support/results.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const tell = (admin: Api, recipient_id: string, title: string, content = 'Something to read') =>
  admin.post('/api/messages', { title, content, is_global: false, recipient_id });

const bell = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: /^Notifications$|unread message/ });
const popup = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

test.describe('at both sizes', { tag: '@both' }, () => {
  test('the bell is empty, rings live, and opens what it shows', {
    tag: [
      '@spec:1.7',
      '@spec:2.47',
      '@spec:2.48',
      '@spec:2.49',
      '@spec:2.50',
      '@spec:2.51',
      '@spec:4.26',
      '@spec:7.23',
      '@spec:9.16',
    ],
  }, async ({ page, admin, newAccount }) => {
    const reader = await newAccount({ group_id: '3' });
    await signIn(page, reader, '/credits');
    await bell(page).click();
    await expect(popup(page)).toContainText('No notifications yet');
    await expect(popup(page).getByRole('link', { name: 'Settings' })).toBeVisible();
    await expectAccessible(page);
    await popup(page).getByRole('link', { name: 'View All' }).click();
    await expect(page).toHaveURL(/\/messages$/);
    await expect(popup(page)).toBeHidden();

    const content = 'Sunday from 02:00 to 03:00 all lines stay usable on the other server';
    const { message } = await tell(admin, reader.id, 'Planned work', content);
    await expect(resultOf(page, 'Planned work')).toBeVisible();
    await tell(admin, reader.id, 'Second');
    // A result stays while the pointer is on it.
    await resultOf(page, 'Second').hover();
    await expect(bell(page)).toHaveAccessibleName('You have 2 unread messages');
    await bell(page).press('Enter');
    await expect(popup(page)).toContainText('You have 2 unread messages');
    // The open bell already shows these notifications.
    await expect(resultOf(page, 'Second')).toHaveCount(0);
    const entry = popup(page).getByRole('listitem').filter({ hasText: 'Planned work' });
    await expect(entry).toContainText(`${content.slice(0, 60).trimEnd()}…`);
    await expect(entry).not.toContainText(content.slice(0, 62));
    await expectAccessible(page);
    await entry.getByRole('link').click();
    await expect(page).toHaveURL(new RegExp(`/messages\\?message=${message.id}$`));
    await expect(page.locator('main')).toContainText(content);
    await expect(bell(page)).toHaveAccessibleName('You have 1 unread message');
    await bell(page).click();
    await popup(page).getByRole('button', { name: 'Mark all as read' }).click();
    await expect(popup(page)).toContainText('You have 0 unread messages');
  });
});

test('a server that is away is said by its strip, and by no result beside it', async ({
  page,
  admin,
}) => {
  const person = { email: `bell-${unique()}@bell.example`, password: 'heron-on-the-lake-9' };
  const { account } = await admin.post('/api/accounts', { ...person, group_id: '2' });
  const away = outageOf('Gdynia', { lines: 3, waiting: 0 });
  await page.route('**/api/servers/outages', (route) =>
    route.fulfill({ json: outagesWith([away]) }),
  );
  await signIn(page, person, '/credits');
  await expect(page.getByText('Gdynia has not responded')).toBeVisible();
  await bell(page).hover();
  const tellOf = (title: string, server: string) =>
    storeDirectly([
      [
        `insert into notifications (id, account_id, kind, title, content, link)
          values (gen_random_uuid(), $1, 'mail', $2, 'Its customers wait', $3)`,
        [account.id, title, `/users/all?server=${server}`],
      ],
    ]);
  await tellOf('Gdynia does not answer', away.server_id);
  await tellOf('Sopot is back', crypto.randomUUID());
  await expect(resultOf(page, 'Sopot is back')).toBeVisible();
  await expect(resultOf(page, 'Gdynia does not answer')).toHaveCount(0);
  await bell(page).click();
  await expect(popup(page)).toContainText('Gdynia does not answer');
});

test('above 99 the badges say 99+', { tag: ['@spec:2.46', '@spec:2.59', '@spec:9.15'] }, async ({
  page,
  admin,
  newAccount,
}) => {
  const reader = await newAccount({ group_id: '3' });
  const { id: author } = await admin.get('/api/me');
  await storeDirectly([
    [
      `insert into messages (id, title, content, is_global, recipient_id, created_by, state)
        select gen_random_uuid(), 'Many', 'Text', false, $1, $2, 'published'
        from generate_series(1, 120)`,
      [reader.id, author],
    ],
  ]);
  await signIn(page, reader, '/');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect(navigation.getByRole('link', { name: /^Messages/ })).toContainText('99+');
  await expect(bell(page)).toHaveAccessibleName('You have 99+ unread messages');
});

test('what came while the connection was cut is shown once when it is back', async ({
  page,
  context,
  admin,
  newAccount,
}) => {
  const reader = await newAccount({ group_id: '3' });
  // Notifications that exist when the page opens are not new.
  const first = page.waitForResponse(/\/api\/notifications\?/);
  await signIn(page, reader, '/messages');
  await first;
  await tell(admin, reader.id, 'Before');
  // The result is drawn by code that is loaded later. Until then the same text appears without its button.
  await expect(resultOf(page, 'Before').getByRole('button', { name: 'Open' })).toBeVisible();
  await page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        const isResult = node.parentElement?.matches('header [role="status"]');
        if (isResult) shown.push(node.textContent ?? '');
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  for (const title of ['Cut one', 'Cut two']) {
    await context.setOffline(true);
    await tell(admin, reader.id, title);
    await context.setOffline(false);
    await expect(resultOf(page, title)).toBeVisible({ timeout: 30_000 });
  }
  await tell(admin, reader.id, 'After');
  await expect(resultOf(page, 'After')).toBeVisible({ timeout: 30_000 });
  const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  for (const title of ['Cut one', 'Cut two', 'After']) {
    expect(shown.filter((text) => text.startsWith(title))).toHaveLength(1);
  }
  expect(shown.filter((text) => text.startsWith('Before'))).toEqual([]);
  await expect(bell(page)).toHaveAccessibleName('You have 4 unread messages');
});
