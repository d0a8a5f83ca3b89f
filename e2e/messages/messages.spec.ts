import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const entryOf = (page: Page, title: string) =>
  page.locator('main').getByRole('listitem').filter({ hasText: title });

test.describe('on a desktop', () => {
  test('a message to one account is sent, read by it, and deleted', {
    tag: ['@spec:2.23', '@spec:2.59'],
  }, async ({ page, browser, newAccount }) => {
    const reader = await newAccount({ group_id: '3' });
    const title = `To one ${unique()}`;
    await signIn(page, 'admin', '/messages/create');
    const send = page.getByRole('button', { name: 'Send message' });
    await page.getByRole('radio', { name: 'One account' }).check();
    await send.click();
    await expect(page.getByText('This field is required').first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Account' }).fill(reader.email);
    await page.getByRole('option', { name: reader.email }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await page.getByRole('textbox', { name: 'Text' }).fill('First line\nSecond **line**');
    await send.click();
    await expect(page.getByText('Message sent')).toBeVisible();
    await expect(page.getByText('Read by 0 of 1')).toBeVisible();
    await expect(page.getByText(`to ${reader.email}`)).toBeVisible();

    const theirs = await (await browser.newContext()).newPage();
    await signIn(theirs, reader, '/messages');
    const inMenu = theirs
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Messages/ });
    await expect(inMenu).toHaveAccessibleName(/1 unread/);
    await expect(theirs.getByRole('link', { name: 'Create message' })).toHaveCount(0);
    await entryOf(theirs, title).getByRole('link').click();
    const text = theirs.locator('article');
    await expect(text.locator('strong')).toHaveText('line');
    await expect(text.locator('br')).toHaveCount(1);
    await expect(entryOf(theirs, title)).toContainText('Second line');
    await expect(inMenu).toHaveAccessibleName('Messages');
    await expectAccessible(theirs);
    await expect(theirs.getByRole('button', { name: 'Delete message' })).toHaveCount(0);

    await page.reload();
    await expect(page.getByText('Read by 1 of 1')).toBeVisible();
    await page.getByRole('button', { name: 'Delete message' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete message' }).click();
    await expect(page.getByText(`${title} deleted`)).toBeVisible();
    await expect(entryOf(page, title)).toHaveCount(0);
    await expect(entryOf(theirs, title)).toHaveCount(0);
    await theirs.context().close();
  });

  test('one to everyone is scheduled, and nobody else sees it', { tag: '@spec:9.18' }, async ({
    page,
    browser,
    newAccount,
  }) => {
    const title = `To all ${unique()}`;
    await signIn(page, 'admin', '/messages/create');
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await page.getByRole('textbox', { name: 'Text' }).fill('Text');
    await page.getByRole('radio', { name: 'Later' }).check();
    await page.getByRole('textbox', { name: 'Send on' }).fill('01-06-2090');
    await page.getByRole('textbox', { name: 'Time' }).fill('8:00');
    await page.getByRole('textbox', { name: 'Show until' }).fill('01-05-2090');
    const schedule = page.getByRole('button', { name: 'Schedule message' });
    await schedule.click();
    await expect(page.getByText('The end must be after the start').first()).toBeVisible();
    await page.getByRole('textbox', { name: 'Show until' }).fill('30-06-2090');
    await schedule.click();
    await expect(page.getByText('Message scheduled')).toBeVisible();
    await expect(page.getByText('scheduled for 01 Jun 2090 8:00 am')).toBeVisible();
    await expect(entryOf(page, title)).toBeVisible();
    await page.getByRole('link', { name: /^All/ }).click();
    await expect(entryOf(page, title)).toHaveCount(0);

    const theirs = await (await browser.newContext()).newPage();
    await signIn(theirs, await newAccount({ group_id: '3' }), '/messages?state=scheduled');
    await expect(theirs.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
    await expect(theirs.getByText('No results')).toBeVisible();
    await theirs.context().close();
  });

  test('only administrators open the page that creates messages', { tag: '@spec:2.23' }, async ({
    page,
  }) => {
    await signIn(page, 'user', '/messages/create');
    await expect(page.locator('main')).toContainText(
      'You do not have permission to access this page. This page is only accessible to administrators.',
    );
  });
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test('a message takes the whole page, and the way back is above it', async ({
    page,
    admin,
    newAccount,
  }) => {
    const reader = await newAccount({ group_id: '3' });
    await admin.post('/api/messages', {
      ...{ title: 'Planned work', content: 'On Sunday', is_global: false, recipient_id: reader.id },
    });
    await signIn(page, reader, '/messages');
    await expect(page.getByText('No messages yet')).toHaveCount(0);
    await expectAccessible(page);
    await entryOf(page, 'Planned work').getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Planned work' })).toBeVisible();
    await expect(page.locator('article')).toContainText('On Sunday');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Messages' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
    await expect(entryOf(page, 'Planned work')).toBeVisible();
    await page.getByRole('searchbox').fill('nothing like it');
    await expect(page.getByText('No results')).toBeVisible();
  });
});
