import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { Api } from '../support/api.ts';
import { storeDirectly } from '../support/database.ts';
import { rowOf } from '../support/page.ts';
import { panelUrl } from '../support/panel.ts';
import { accounts } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

// One worker for the file: its messages count against the limit of one address.
test.describe.configure({ mode: 'default' });

const allowMore = () => storeDirectly([["delete from rate_limits where scope = 'contact'", []]]);
test.beforeEach(allowMore);

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
}

const send = (page: Page) => page.getByRole('button', { name: 'Send message' }).click();

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a visitor writes from the sign-in page, and an administrator answers', {
    tag: '@spec:2.40',
  }, async ({ page, browser }) => {
    const subject = `Prices ${unique()}`;
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Contact us' }).click();
    await send(page);
    await expect(page.getByText('To send, fix 4 fields')).toBeVisible();
    await fill(page, {
      Name: 'Zoë Żak',
      Email: 'zoe@visitor.example',
      Subject: subject,
      'Message text': 'Good day,\n<img src=x onerror=alert(1)> what do 20 lines cost?',
    });
    await expectAccessible(page);
    await send(page);
    await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible();
    await expect(page.getByText('They will reply to zoe@visitor.example.')).toBeVisible();
    await expectAccessible(page);

    const office = await browser.newPage();
    await signIn(office, 'admin', `/support/contact?q=${encodeURIComponent(subject)}`);
    const row = rowOf(office, subject);
    await expect(row).toContainText('Open');
    await row.getByRole('button', { name: 'Read and reply to Zoë Żak' }).click();
    const dialog = office.getByRole('dialog', { name: subject });
    await expect(dialog).toContainText('<img src=x onerror=alert(1)> what do 20 lines cost?');
    await expect(dialog).toContainText('No account (visitor)');
    await dialog.getByRole('button', { name: 'Save reply' }).click();
    await expect(dialog.getByText('This field is required')).toBeVisible();
    await dialog.getByLabel('Reply text').fill('They cost 40 credits.');
    await expectAccessible(office);
    await dialog.getByRole('button', { name: 'Save reply' }).click();
    await expect(office.getByText('Reply to Zoë Żak saved')).toBeVisible();
    await expect(rowOf(office, subject)).toContainText('Closed');
    await rowOf(office, subject)
      .getByRole('button', { name: 'Read the message from Zoë Żak' })
      .click();
    await expect(dialog).toContainText('They cost 40 credits.');
    await expect(dialog).toContainText(`Reply by ${accounts.admin.email}`);
    await expect(dialog).toContainText('This panel does not send email.');
    await expectAccessible(office);
    await office.close();
  });

  test('what an account writes from inside becomes a ticket, and the form leads to it', {
    tag: '@spec:1.6',
  }, async ({ page, browser }) => {
    const subject = `Invoice ${unique()}`;
    await signIn(page, 'reseller', '/support/contact-us');
    await expect(page.getByLabel('Email')).toHaveCount(0);
    await fill(page, { Subject: subject, 'Message text': 'Good day,\nplease send it.' });
    await expectAccessible(page);
    await send(page);
    await expect(page).toHaveURL(/\/tickets\/[\da-f-]{36}$/);
    await expect(page.getByRole('heading', { name: subject })).toBeVisible();
    await expect(page.getByText(/Your message is now ticket #\d+/)).toBeVisible();

    const office = await browser.newPage();
    await signIn(office, 'admin', `/tickets?q=${encodeURIComponent(subject)}`);
    await rowOf(office, subject).getByRole('link', { name: subject }).click();
    await expect(office.getByText('please send it.')).toBeVisible();
    await office.close();
  });

  test('on the page for visitors somebody signed in is shown the ticket', async ({ page }) => {
    // After the panel was opened once, the browser remembers the account.
    await signIn(page, 'reseller', '/tickets');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto('/contact');
    await expect(page.getByLabel('Email')).toHaveValue(accounts.reseller.email);
    const subject = `Outside ${unique()}`;
    await fill(page, { Subject: subject, 'Message text': 'Where is my invoice?' });
    await send(page);
    await expect(page.getByText(/Your message is now ticket #\d+/)).toBeVisible();
    await page.getByRole('link', { name: 'Open the ticket' }).click();
    await expect(page.getByRole('heading', { name: subject })).toBeVisible();
  });

  test('a message is closed and reopened', async ({ page }) => {
    const subject = `Closing ${unique()}`;
    const sent = { name: 'Zoë', email: 'zoe@visitor.example', subject, message: 'Hello' };
    await new Api(panelUrl).post('/api/contact', sent);
    await signIn(page, 'admin', `/support/contact?q=${encodeURIComponent(subject)}`);
    const row = rowOf(page, subject);
    await row.getByRole('button', { name: 'Close the message from Zoë' }).click();
    await expect(row).toContainText('Closed');
    await row.getByRole('button', { name: 'Reopen the message from Zoë' }).click();
    await expect(row).toContainText('Open');
  });

  test('a message that is sent too often is refused with its reason, and stays typed', async ({
    page,
  }) => {
    const api = new Api(panelUrl);
    for (let number = 0; number < 10; number++) {
      await api.post('/api/contact', {
        name: 'Often',
        email: 'often@visitor.example',
        subject: `Often ${unique()}`,
        message: 'Hello',
      });
    }
    await page.goto('/contact');
    const typed = { Subject: 'Once more', 'Message text': 'What I wrote' };
    await fill(page, { Name: 'Often', Email: 'often@visitor.example', ...typed });
    await send(page);
    await expect(
      page.getByText('Too many attempts. Please try again later.').first(),
    ).toBeVisible();
    await expect(page.getByLabel('Message text')).toHaveValue('What I wrote');
    await allowMore();
    await send(page);
    await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible();
  });
});

test('people do not come across the field for programs', async ({ page }) => {
  await page.goto('/contact');
  const trap = page.locator('input[name="homepage"]');
  await expect(trap).toHaveAttribute('tabindex', '-1');
  expect(await trap.boundingBox()).toMatchObject({ width: 1, height: 1 });
  await page.getByLabel('Message text').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Send message' })).toBeFocused();
});

test('a new message appears in an inbox that is open', async ({ page }) => {
  const subject = `Live ${unique()}`;
  await signIn(page, 'admin', '/support/contact?status=open');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const sent = { name: 'Live', email: 'live@visitor.example', subject, message: 'Now' };
  await new Api(panelUrl).post('/api/contact', sent);
  await expect(rowOf(page, subject)).toBeVisible();
});
