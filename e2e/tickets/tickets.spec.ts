import { expectAccessible } from '../support/accessible.ts';
import { rowOf } from '../support/page.ts';
import { panelUrl } from '../support/panel.ts';
import { loseReply } from '../support/requests.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

async function open(account: { email: string; password: string }, title: string) {
  const owner = await apiOf(account);
  const { ticket } = await owner.post('/api/tickets', { title, description: 'It **fails**.' });
  return { owner, id: ticket.id as string };
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a ticket is written, looked at, kept through a reload, and sent once', {
    tag: '@spec:7.33',
  }, async ({ page, newAccount }) => {
    const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
    await signIn(page, account, '/support');
    await expect(page).toHaveURL(/\/tickets$/);
    await expect(page.getByText('No tickets yet')).toBeVisible();
    await page.getByRole('link', { name: 'New ticket' }).first().click();
    await page.getByLabel('Title').fill('Lost phone');
    await page.getByRole('textbox', { name: 'Description' }).fill('I **cannot** sign in');
    await page.getByText('High', { exact: true }).click();
    await page.getByText('Preview', { exact: true }).click();
    await expect(page.locator('main strong')).toHaveText('cannot');
    await expectAccessible(page);

    await page.reload();
    await expect(page.getByText('Draft restored')).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveValue('Lost phone');
    await expect(page.getByRole('radio', { name: 'High' })).toBeChecked();

    // The reply is lost. After a reload the page sends the same request again.
    await loseReply(page, '**/api/tickets');
    await page.getByRole('button', { name: 'Create ticket' }).dblclick();
    await expect(page.getByText(/^The panel cannot be reached/).first()).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Title')).toHaveValue('Lost phone');
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await expect(page.getByText(/^Ticket .*#\d+.* created$/)).toBeVisible();
    const owner = await apiOf(account);
    expect((await owner.get('/api/tickets/counts')).all).toBe(1);

    await page.goto('/tickets/new');
    await expect(page.getByLabel('Title')).toHaveValue('');
  });

  test('articles that may help stand beside what is asked, and nothing waits for them', async ({
    page,
    newAccount,
  }) => {
    await signIn(
      page,
      await newAccount({ group_id: '3', full_name: 'Rui Santos' }),
      '/tickets/new',
    );
    const title = page.getByLabel('Title');
    await title.fill('My line is not on the server since noon');
    const help = page.getByRole('status').filter({ hasText: 'These articles may help' });
    await expect(help.getByRole('link').first()).toBeVisible();
    expect(await help.getByRole('link').count()).toBeLessThanOrEqual(3);
    const found = help.getByRole('link', { name: /A line shows “Not on server”/ });
    await expectAccessible(page);
    const opened = page.waitForEvent('popup');
    await found.click();
    const article = await opened;
    await expect(article.getByRole('heading', { level: 1 })).toHaveText(
      'A line shows “Not on server”',
    );
    await expect(title).toHaveValue('My line is not on the server since noon');
    await title.fill('zzzz qqqq');
    await expect(help).toHaveCount(0);

    await page.route('**/api/articles*', (route) => route.abort());
    await title.fill('Credits are missing');
    await page.getByRole('textbox', { name: 'Description' }).fill('First line\nSecond line');
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await expect(page.getByRole('heading', { name: 'Credits are missing' })).toBeVisible();
    await expect(page.locator('main br')).toHaveCount(1);
  });

  test('an answer arrives live, is counted as unread, and is read by looking at it', {
    tag: ['@spec:2.60', '@spec:4.27'],
  }, async ({ page, admin, isPhone, newAccount }) => {
    const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
    const title = `Slow ${unique()}`;
    const { id } = await open(account, title);
    await signIn(page, account, '/tickets');
    const row = rowOf(page, title);
    await expect(row).toBeVisible();
    await expect(row.getByText('Unread')).toHaveCount(0);
    await admin.post(`/api/tickets/${id}/replies`, { content: 'We look into it' });
    await expect(row.getByText('Unread')).toHaveCount(1);
    await expect(row.getByText('In progress')).toBeVisible();
    if (!isPhone) {
      await expect(
        page.getByRole('navigation', { name: 'Main' }).getByText('1 unread').first(),
      ).toBeAttached();
    }
    await page.getByRole('link', { name: title }).click();
    await expect(page.getByRole('article').getByText('We look into it')).toBeVisible();
    await expect(page.getByText('Status changed from Open to In progress')).toBeVisible();
    await admin.post(`/api/tickets/${id}/replies`, { content: 'Fixed now' });
    await expect(page.getByRole('article').getByText('Fixed now')).toBeVisible();
    await expectAccessible(page);
    const owner = await apiOf(account);
    await expect.poll(async () => (await owner.get('/api/tickets/counts')).unread).toBe(0);
  });

  test('its owner replies by the keyboard, closes it and opens it again', {
    tag: '@spec:1.6',
  }, async ({ page, newAccount }) => {
    const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
    const { id } = await open(account, 'Can a trial run for three days?');
    await signIn(page, account, `/tickets/${id}`);
    const box = page.getByRole('textbox', { name: 'Reply' });
    await box.fill('Or for a week?');
    await box.press('Control+Enter');
    await expect(page.locator('article').getByText('Or for a week?')).toBeVisible();
    await expect(box).toHaveValue('');
    await page.getByRole('button', { name: 'Close ticket' }).click();
    await expect(page.getByText('Status changed from Open to Closed')).toBeVisible();
    await expect(page.getByText('This ticket is closed. A reply opens it again.')).toBeVisible();
    await page.getByRole('button', { name: 'Reopen ticket' }).click();
    await expect(page.getByText('Status changed from Closed to Open')).toBeVisible();
    await expect(page.getByRole('combobox')).toHaveCount(0);
    await expect(page.getByText('Internal note')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Delete ticket' })).toHaveCount(0);
  });

  test('an administrator assigns, notes, answers with a canned reply and deletes', async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
    const title = `Move ${unique()}`;
    const { id, owner } = await open(account, title);
    await signIn(page, 'admin', `/tickets/${id}`);
    await expect(page.getByRole('link', { name: 'Rui Santos' })).toBeVisible();
    await expect(page.getByText(account.email)).toBeVisible();
    await page.getByLabel('Assigned to').click();
    await page.getByRole('option', { name: 'Administrator' }).click();
    await expect(page.getByText(/^Assigned to Administrator/)).toBeVisible();
    await page.getByLabel('Priority').click();
    await page.getByRole('option', { name: 'Urgent' }).click();
    await expect(page.getByLabel('Priority').locator('[data-tone="error"]')).toHaveText('Urgent');
    await expect(page.getByText('Priority changed from Medium to Urgent')).toBeVisible();

    await page.getByRole('textbox', { name: 'Reply' }).fill('Ask for the invoice');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.locator('article').getByText('Ask for the invoice')).toBeVisible();
    await expectAccessible(page);
    const { items } = await owner.get(`/api/tickets/${id}/replies`);
    expect(JSON.stringify(items)).not.toContain('Ask for the invoice');

    const canned = `Moved ${unique()}`;
    await page.getByRole('button', { name: 'Canned replies' }).click();
    await page.getByRole('menuitem', { name: 'Manage canned replies' }).click();
    await page.getByRole('button', { name: 'Add canned reply' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill(canned);
    await dialog.getByRole('textbox', { name: 'Text' }).fill('It was moved.');
    await dialog.getByRole('button', { name: 'Save canned reply' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Canned replies' }).click();
    await page.getByRole('menuitem', { name: canned }).click();
    await expect(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('It was moved.');
    await page.getByRole('button', { name: 'Send reply' }).click();
    await expect(page.locator('article').getByText('It was moved.')).toBeVisible();

    await page.getByRole('button', { name: 'Delete ticket' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete ticket' }).click();
    await expect(page).toHaveURL(/\/tickets$/);
    await expect(rowOf(page, title)).toHaveCount(0);
  });
});

test('tickets are found by view, filter and text, and taken from the list', {
  tag: '@main',
}, async ({ page, newAccount }) => {
  const title = `Wanted ${unique()}`;
  await open(await newAccount({ group_id: '3', full_name: 'Rui Santos' }), title);
  await signIn(page, 'admin', '/support/tickets');
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Knowledge base' }),
  ).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /^Unassigned/ })
    .click();
  await page.getByRole('searchbox').fill(title);
  const row = rowOf(page, title);
  await expect(row).toHaveCount(1);
  await row.getByRole('button', { name: /^Take ticket #/ }).click();
  await expect(row).toHaveCount(0);
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /^Assigned to me/ })
    .click();
  await page.getByRole('searchbox').fill(title);
  await expect(rowOf(page, title)).toHaveCount(1);
  await rowOf(page, title)
    .getByRole('button', { name: /^More actions for #/ })
    .click();
  await page.getByRole('menuitem', { name: 'Close ticket' }).click();
  await expect(rowOf(page, title)).toHaveCount(0);
});

test('what is written in Markdown runs nothing and loads nothing from elsewhere', async ({
  page,
  newAccount,
}) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).host));
  const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
  const { id, owner } = await open(account, '<img src=x onerror=alert(1)>');
  const content = [
    '<script>window.hit = 1</script>',
    '<img src=x onerror="window.hit = 2">',
    '![pixel](https://tracker.example/p.png)',
    '![svg](data:image/svg+xml;base64,PHN2Zz4=)',
    '[click](javascript:window.hit=3)',
    '[data](data:text/html,<script>1</script>)',
    '[panel](https://elsewhere.example/a)',
  ].join('\n\n');
  await owner.post(`/api/tickets/${id}/replies`, { content });
  await signIn(page, 'admin', `/tickets/${id}`);
  await expect(page.getByRole('link', { name: 'panel' })).toHaveAttribute('rel', /noopener/);
  await expect(page.locator('article script')).toHaveCount(0);
  await expect(page.locator('article img')).toHaveCount(0);
  await expect(page.locator('a[href^="javascript:"], a[href^="data:"]')).toHaveCount(0);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  expect([...new Set(asked)]).toEqual([new URL(panelUrl).host]);
  expect(problems).toEqual([]);
});

test('a text that no parser can take is shown as typed, and the ticket stays usable', async ({
  page,
  newAccount,
}) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  const account = await newAccount({ group_id: '3', full_name: 'Rui Santos' });
  const { id, owner } = await open(account, 'Quotes');
  await owner.post(`/api/tickets/${id}/replies`, { content: '>'.repeat(2500) });
  const nested = `${'*a '.repeat(1000)}${'a*'.repeat(1000)}`;
  for (let count = 0; count < 25; count += 1) {
    await owner.post(`/api/tickets/${id}/replies`, { content: nested });
  }
  await signIn(page, 'admin', `/tickets/${id}`);
  await expect(page.getByText('>'.repeat(2500))).toBeVisible();
  await expect(page.getByText(nested)).toHaveCount(25);
  await page.getByRole('textbox', { name: 'Reply' }).fill('What do you mean?');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await expect(page.getByText('What do you mean?')).toBeVisible();
  expect(problems).toEqual([]);
});
