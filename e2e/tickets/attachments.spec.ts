import type { Locator, Page } from '@playwright/test';
import { gifOf, pngOf } from '../../apps/server/src/testing/files/files.ts';
import { expectAccessible } from '../support/accessible.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

const file = (name: string, content: Buffer | string, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});
const picture = () => file('screen.png', pngOf(), 'image/png');

const chooser = (page: Page) => page.locator('main input[type="file"]');
const pendingRow = (page: Page, name: string) => page.locator('form li').filter({ hasText: name });

/** Drops or pastes a file, with the events of a browser. */
async function give(target: Locator, kind: 'drop' | 'paste', given: ReturnType<typeof file>) {
  const { name, mimeType: type, buffer } = given;
  await target.evaluate(
    (element, given) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(given.content);
      data.items.add(new File([content], given.name, { type: given.type }));
      const init = { bubbles: true, cancelable: true };
      if (given.kind === 'paste') {
        element.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }));
        return;
      }
      for (const type of ['dragenter', 'dragover', 'drop']) {
        element.dispatchEvent(new DragEvent(type, { ...init, dataTransfer: data }));
      }
    },
    { kind, name, type, content: [...buffer] },
  );
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('files are chosen for a new ticket, kept through a reload, and sent with it', {
    tag: '@main',
  }, async ({ page, newAccount }) => {
    await signIn(
      page,
      await newAccount({ group_id: '3', full_name: 'Ines Prado' }),
      '/tickets/new',
    );
    await page.getByLabel('Title').fill('Black screen');
    await page.getByRole('textbox', { name: 'Description' }).fill('Since this morning');
    await chooser(page).setInputFiles([
      picture(),
      file('CCcam.cfg', 'F: line'),
      file('x.svg', '<svg/>'),
    ]);
    await expect(pendingRow(page, 'screen.png')).toContainText('1 KB');
    await expect(pendingRow(page, 'x.svg')).toContainText('HTML, SVG and XML cannot be attached');
    await expectAccessible(page);
    const create = page.getByRole('button', { name: 'Create ticket' });
    await expect(create).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: 'Remove x.svg' }).click();
    await expect(page.locator('form li')).toHaveCount(2);

    await page.reload();
    await expect(page.getByText('Draft restored')).toBeVisible();
    await expect(pendingRow(page, 'CCcam.cfg')).toBeVisible();
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /Black screen/ })).toBeVisible();
    const article = page.getByRole('article');
    const link = article.getByRole('link', { name: /CCcam\.cfg/ });
    const download = page.waitForEvent('download');
    await link.click();
    expect((await download).suggestedFilename()).toBe('CCcam.cfg');
    const image = article.getByRole('button', { name: 'Show screen.png' });
    await expect
      .poll(() => image.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBe(2);
    await image.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'screen.png' });
    await expect(dialog.getByRole('img', { name: 'screen.png' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);

    await page.goto('/tickets/new');
    await expect(page.getByRole('button', { name: 'choose files' })).toBeVisible();
    await expect(page.locator('form li')).toHaveCount(0);
  });

  test('files are dropped and pasted into a reply, taken out, and read by the other side', async ({
    page,
    admin,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3', full_name: 'Ines Prado' });
    const owner = await apiOf(account);
    const opened = await owner.post('/api/tickets', {
      title: 'Files',
      description: 'Text',
    });
    const path = `/tickets/${opened.ticket.id}`;
    await signIn(page, account, path);
    const box = page.getByRole('textbox', { name: 'Reply' });
    await give(box, 'drop', file('dropped.txt', 'dropped'));
    // The name that browsers give to a screenshot in the clipboard.
    await give(box, 'paste', file('image.png', pngOf(), 'image/png'));
    await give(box, 'drop', file('evil.svg', '<svg/>', 'image/svg+xml'));
    await expect(pendingRow(page, 'evil.svg')).toContainText('HTML, SVG and XML cannot be');
    await page.getByRole('button', { name: 'Remove evil.svg' }).click();
    await chooser(page).setInputFiles(file('chosen.txt', 'chosen'));
    for (const one of ['dropped.txt', 'image.png', 'chosen.txt']) {
      await expect(pendingRow(page, one)).toContainText('1 KB');
    }
    await page.getByRole('button', { name: 'Remove chosen.txt' }).press('Enter');
    await expect(page.locator('form li')).toHaveCount(2);
    await expectAccessible(page);
    await box.fill('Two files');
    await page.getByRole('button', { name: 'Send reply' }).click();
    const article = page.getByRole('article').filter({ hasText: 'Two files' });
    await expect(article.getByRole('link')).toHaveCount(2);
    await expect(page.locator('form li')).toHaveCount(0);
    const { items } = await admin.get(`/api${path}/replies`);
    expect(items[0].attachments.map((one: { name: string }) => one.name)).toEqual([
      'dropped.txt',
      'image.png',
    ]);
    await expect(
      page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).resolves.toBeLessThanOrEqual(0);
  });
});

test('what is wrong with a file stands beside it, and a lost connection is tried again', async ({
  page,
  newAccount,
}) => {
  await signIn(page, await newAccount({ group_id: '3', full_name: 'Ines Prado' }), '/tickets/new');
  await chooser(page).setInputFiles([
    file('empty.txt', ''),
    file('large.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'a')),
    file('page.txt', '<html>'),
  ]);
  await expect(pendingRow(page, 'empty.txt')).toContainText('This file is empty');
  await expect(pendingRow(page, 'large.txt')).toContainText('The file is too large: at most 10 MB');
  await expect(pendingRow(page, 'page.txt')).toContainText('HTML, SVG and XML cannot be attached');
  await expect(page.getByRole('button', { name: /again$/ })).toHaveCount(0);
  for (const name of ['empty.txt', 'large.txt', 'page.txt']) {
    await page.getByRole('button', { name: `Remove ${name}` }).click();
  }
  await page.route('**/api/attachments', (route) => route.abort());
  await chooser(page).setInputFiles(file('lost.txt', 'text'));
  const again = page.getByRole('button', { name: 'Upload lost.txt again' });
  await expect(again).toBeVisible();
  await page.unroute('**/api/attachments');
  await again.click();
  await expect(pendingRow(page, 'lost.txt')).toContainText('1 KB');
  await expect(again).toHaveCount(0);

  const many = Array.from({ length: 6 }, (_, index) => file(`${index}.txt`, 'text'));
  await chooser(page).setInputFiles(many);
  await expect(page.locator('form li')).toHaveCount(5);
  await expect(page.getByText('At most 5 files can be attached')).toBeVisible();
});

test('while a file is on its way, it says how far, nothing is sent, and it can be stopped', async ({
  page,
  newAccount,
}) => {
  await signIn(page, await newAccount({ group_id: '3', full_name: 'Ines Prado' }), '/tickets/new');
  await page.getByLabel('Title').fill('Waiting');
  await page.getByRole('textbox', { name: 'Description' }).fill('Text');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/attachments', async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await chooser(page).setInputFiles(file('slow.txt', 'text'));
  await expect(page.getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible();
  const create = page.getByRole('button', { name: 'Create ticket' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await expect(create).toHaveAccessibleDescription('Wait until the files have been uploaded');
  await page.getByRole('button', { name: 'Remove slow.txt' }).click();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  release();
  await create.click();
  await expect(page.getByRole('heading', { level: 1, name: /Waiting/ })).toBeVisible();
  await expect(page.getByRole('article').getByRole('link')).toHaveCount(0);
});

test('an address of a file opens no page of it, whatever is in it', async ({
  page,
  newAccount,
}) => {
  const account = await newAccount({ group_id: '3', full_name: 'Ines Prado' });
  const owner = await apiOf(account);
  await signIn(page, account, '/tickets/new');
  await chooser(page).setInputFiles(file('a.gif', gifOf('<script>alert(1)</script>'), 'image/gif'));
  await expect(pendingRow(page, 'a.gif')).toContainText('1 KB');
  await page.getByLabel('Title').fill('A script in a picture');
  await page.getByRole('textbox', { name: 'Description' }).fill('Text');
  await page.getByRole('button', { name: 'Create ticket' }).click();
  await expect(page.getByRole('button', { name: 'Show a.gif' })).toBeVisible();
  const { items } = await owner.get('/api/tickets');
  const { ticket } = await owner.get(`/api/tickets/${items[0].id}`);
  const download = page.waitForEvent('download');
  await page.goto(ticket.attachments[0].url).catch(() => {});
  expect((await download).suggestedFilename()).toBe('a.gif');
});

test('a picture alone is a reply, also after a reload, and nothing at all is none', async ({
  page,
  newAccount,
}) => {
  const account = await newAccount({ group_id: '3', full_name: 'Ines Prado' });
  const owner = await apiOf(account);
  const { ticket } = await owner.post('/api/tickets', {
    title: 'See',
    description: 'Text',
  });
  await signIn(page, account, `/tickets/${ticket.id}`);
  const send = page.getByRole('button', { name: 'Send reply' });
  const nothing = page.getByText('Write something or attach a file');
  await send.click();
  await expect(nothing).toBeVisible();
  await chooser(page).setInputFiles(picture());
  await expect(nothing).toHaveCount(0);
  await expect(pendingRow(page, 'screen.png')).toBeVisible();
  await page.reload();
  await expect(pendingRow(page, 'screen.png')).toBeVisible();
  await send.click();
  await expect(
    page.getByRole('article').nth(1).getByRole('button', { name: 'Show screen.png' }),
  ).toBeVisible();
  await expect(page.locator('form li')).toHaveCount(0);
  await expect(nothing).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page.locator('form li')).toHaveCount(0);
});
