import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { panelUrl } from '../support/panel.ts';
import { accounts } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const PATH = '/support/knowledge-base';
// One worker for the file: a setting of the whole panel is changed for a while.
test.describe.configure({ mode: 'default' });

async function write(admin: Api, given: object): Promise<{ id: string; title: string }> {
  const { article } = await admin.post('/api/articles', {
    title: `Article ${unique()}`,
    body: 'Some text',
    category: 'api',
    locale: 'en',
    is_published: true,
    ...given,
  });
  return article;
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('an article is searched, read, and left for a ticket', { tag: '@spec:1.6' }, async ({
    page,
  }) => {
    await signIn(page, 'reseller', PATH);
    const lines = page.locator('section').filter({
      has: page.getByRole('heading', { name: 'Lines', exact: true }),
    });
    await expect(lines.getByRole('link')).toHaveCount(4);
    await expectAccessible(page);
    await page.getByRole('searchbox', { name: 'Search articles' }).fill('not on servr');
    const found = page.getByRole('link', { name: 'A line shows “Not on server”' });
    await expect(found).toBeVisible();
    await page.getByRole('searchbox').fill('capital letters');
    await expect(page.getByRole('link', { name: 'Redeem a code' })).toBeVisible();
    await expect(page.locator('mark').first()).toHaveText('Capital');
    await expect(page).toHaveURL(/q=capital/);
    await expectAccessible(page);
    const ask = page.getByRole('main').getByRole('link', { name: 'Create a ticket', exact: true });
    await expect(ask).toHaveAttribute('href', /^\/tickets\/new\?title=capital(%20|\+)letters$/);
    await page.getByRole('link', { name: 'Redeem a code' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Redeem a code' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'If a code is refused' })).toBeVisible();
    await expectAccessible(page);
    await ask.click();
    // The search text is passed to the ticket, and the article that did not help is not.
    await expect(page.getByLabel('Title')).toHaveValue('capital letters');
  });

  test('the table of contents leads to its headings, a link to its page', async ({
    page,
    admin,
    isPhone,
  }) => {
    const { items } = await admin.get('/api/articles?locale=en&q=how%20credits%20work');
    await signIn(page, 'reseller', `${PATH}/${items[0].id}`);
    if (isPhone) await page.getByText('On this page').first().click();
    await page.getByRole('button', { name: 'Not enough credits' }).click();
    await expect(page.getByRole('heading', { name: 'Not enough credits' })).toBeInViewport();
    await expect(page.getByRole('heading', { name: 'Not enough credits' })).toBeFocused();
    await page.getByRole('article').getByRole('link', { name: 'Credits', exact: true }).click();
    await expect(page).toHaveURL(/\/credits$/);
  });

  test('readers say if it helped, and change their mind', async ({ page, admin }) => {
    const { id } = await write(admin, {});
    await signIn(page, 'reseller', `${PATH}/${id}`);
    await page.getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByText('1 of 1 found this helpful')).toBeVisible();
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await expect(page.getByText('0 of 1 found this helpful')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'No', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });
});

test('an article is read in another language', async ({ page, admin }) => {
  const original = await write(admin, {});
  const german = await write(admin, { locale: 'de', translation_of: original.id });
  await signIn(page, 'reseller', `${PATH}/${original.id}`);
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: german.title })).toBeVisible();
  await page.goto(PATH);
  await page.getByRole('link', { name: /^Polski/ }).click();
  await expect(page.getByRole('link', { name: 'Sprzedaż linii' })).toBeVisible();
});

test('an administrator writes, previews, publishes, translates and deletes', async ({
  page,
  browser,
}) => {
  const title = `Antennas ${unique()}`;
  await signIn(page, 'admin', PATH);
  await page.getByRole('link', { name: 'Write article' }).click();
  await page.getByRole('button', { name: 'Save article' }).click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('textbox', { name: 'Text' }).fill('## On the roof\n\nTurn it **slowly**.');
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'On the roof' })).toBeVisible();
  await expect(preview.locator('strong')).toHaveText('slowly');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save article' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('Draft')).toBeVisible();

  const reader = await browser.newPage();
  await signIn(reader, 'reseller', new URL(page.url()).pathname);
  await expect(reader.getByRole('heading', { name: 'Article not found' })).toBeVisible();

  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('switch', { name: 'Published' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await reader.close();

  await page.getByRole('link', { name: 'Translate' }).click();
  await expect(page.getByText(`Translation of “${title}”`)).toBeVisible();
  await page.getByRole('textbox', { name: 'Title' }).fill(`${title} auf Deutsch`);
  await page.getByRole('button', { name: 'Save article' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${title} auf Deutsch` })).toBeVisible();
  await expect(page.getByText('Also in English')).toBeVisible();

  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Delete article' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete article' }).click();
  await expect(page).toHaveURL(new RegExp(`${PATH}$`));
});

test('an administrator puts articles in order, by the keyboard too', async ({ page, admin }) => {
  const [first, second] = [
    await write(admin, { category: 'accounts' }),
    await write(admin, { category: 'accounts' }),
  ];
  await signIn(page, 'admin', `${PATH}?category=accounts`);
  const names = page.locator('main li a');
  const places = async () => {
    const all = await names.allTextContents();
    return [all.indexOf(first.title), all.indexOf(second.title)];
  };
  const up = page.getByRole('button', { name: `Move up: ${second.title}` });
  await up.press('Enter');
  await expect.poll(async () => (await places()).join() !== '-1,-1').toBe(true);
  await expect
    .poll(async () => {
      const [one = 0, other = 0] = await places();
      return one - other;
    })
    .toBe(1);
  await expect(up).toBeFocused();
  await page.reload();
  await expect(names.filter({ hasText: first.title })).toBeVisible();
  const [one = 0, other = 0] = await places();
  expect(one - other).toBe(1);
});

test('what an article says runs nothing and loads nothing from elsewhere', async ({
  page,
  admin,
}) => {
  const body = [
    '<script>window.ran = 1</script>',
    '<img src=x onerror="window.ran = 1">',
    '[press](javascript:window.ran=1)',
    '[other](//elsewhere.example/x)',
    '![picture](https://elsewhere.example/pixel.png)',
    '![svg](data:image/svg+xml;base64,PHN2Zy8+)',
    '<iframe src="https://elsewhere.example"></iframe>',
    '[fine](https://elsewhere.example/page)',
    'The end of it.',
  ].join('\n\n');
  const { id } = await write(admin, { body });
  const asked: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await signIn(page, 'reseller', `${PATH}/${id}`);
  const text = page.getByRole('article');
  await expect(text.getByText('The end of it.')).toBeVisible();
  await expect(text.getByRole('link')).toHaveCount(1);
  await expect(text.getByRole('link', { name: 'fine' })).toHaveAttribute('rel', /noopener/);
  await expect(text.locator('script, iframe, img')).toHaveCount(0);
  await text.getByText('press').click();
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  expect(asked.filter((url) => !url.startsWith(panelUrl))).toEqual([]);
  expect(problems).toEqual([]);
});

test.describe('visitors', () => {
  test.afterAll(({ admin }) => admin.patch('/api/settings', { articles_public: false }));

  const openFirst = async (page: Page) => {
    await page.goto(PATH);
    await page.getByRole('link', { name: 'Sell a line', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sell a line' })).toBeVisible();
  };

  test('are sent to sign in, until a setting opens the knowledge base', async ({ page, admin }) => {
    await page.goto(PATH);
    await expect(page).toHaveURL(/\/sign-in\?to=/);
    await admin.patch('/api/settings', { articles_public: true });
    await openFirst(page);
    await expect(page.getByRole('button', { name: 'Yes' })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await expect(page.getByText('Auf dieser Seite').last()).toBeVisible();
    await page.getByRole('button', { name: 'English' }).click();
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sidewaysOverflow(page)).toBe(0);
    }
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill(accounts.reseller.email);
    await page.locator('input[name="password"]').fill(accounts.reseller.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sell a line' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Yes' })).toBeVisible();
  });

  test('get past the header by the first stop of Tab', async ({ page, admin }) => {
    await admin.patch('/api/settings', { articles_public: true });
    await page.goto(PATH);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.locator('main')).toBeFocused();
    await expect(skip).not.toBeInViewport();
  });

  test('still need an account for everything else', async ({ page, admin }) => {
    await admin.patch('/api/settings', { articles_public: true });
    await openFirst(page);
    for (const path of ['/', '/users/all', `${PATH}/add`, `${PATH}/edit/1`]) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/sign-in/);
    }
  });
});
