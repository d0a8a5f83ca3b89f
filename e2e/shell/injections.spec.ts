import type { BrowserContext, Page } from '@playwright/test';
import { Api } from '../support/api.ts';
import { startPanelWithInjections } from '../support/panel-with-injections.ts';
import { accounts } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

// The file has one worker, because it has its own panel.
test.describe.configure({ mode: 'default' });

/** Findings of a page, recorded from before its first script. */
interface Watched {
  pwn?: unknown;
  violations: string[];
}

let panel: Awaited<ReturnType<typeof startPanelWithInjections>>;
test.beforeAll(async () => {
  panel = await startPanelWithInjections();
});
test.afterAll(() => panel?.stop());

/** Records every script that is not the panel's, and every attempt to run one. */
async function watch(context: BrowserContext, url: string): Promise<string[]> {
  const problems: string[] = [];
  await context.addInitScript(() => {
    const watched = window as unknown as Watched;
    watched.violations = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      watched.violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  context.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(url)) {
      problems.push(`asked for ${request.url()}`);
    }
  });
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.page()?.url()}: ${message.text()}`);
  });
  context.on('weberror', (error) => problems.push(String(error.error())));
  return problems;
}

/** Finds elements and attributes that the panel itself never uses. */
function findForeign(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const watched = window as unknown as Watched;
    const found = [...document.querySelectorAll('body *')].flatMap((element) => {
      const handlers = [...element.attributes].filter(({ name }) => name.startsWith('on'));
      const isForeign = element.matches(
        'iframe, object, embed, base, marquee, math, template, script:not([src])',
      );
      const address = element instanceof HTMLAnchorElement ? element.protocol : 'http:';
      const isBad = handlers.length > 0 || isForeign || !/^(?:https?|mailto):$/.test(address);
      return isBad ? [element.outerHTML.slice(0, 200)] : [];
    });
    return [...found, ...watched.violations, ...('pwn' in watched ? ['window.pwn'] : [])];
  });
}

/** The visible text of a page, with the values of its fields. */
const shown = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main') ?? document.body;
    const typed = [...main.querySelectorAll<HTMLInputElement>('input, textarea')];
    return [main.innerText, ...typed.map(({ value }) => value)].join('\n');
  });

async function look(context: BrowserContext, paths: readonly string[]): Promise<string[]> {
  const problems = await watch(context, panel.url);
  const page = await context.newPage();
  for (const path of paths) {
    await page.goto(panel.url + path);
    await expect.poll(() => shown(page), `${path} shows what was typed`).toContain('pwn');
    const opener = page
      .locator('main :is(tbody, li) [aria-expanded="false"]:not([aria-haspopup])')
      .first();
    if (await opener.isVisible()) await opener.click();
    for (const foreign of await findForeign(page)) problems.push(`${path}: ${foreign}`);
  }
  await page.close();
  return problems;
}

async function contextOf(context: BrowserContext, who: keyof typeof accounts) {
  const api = await new Api(panel.url).signIn(accounts[who]);
  const [name = '', value = ''] = api.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: panel.url, httpOnly: true, sameSite: 'Lax' }]);
  return api;
}

const firstOf = async (api: Api, path: string) => (await api.get(path)).items[0].id as string;

async function articlePaths(api: Api): Promise<string[]> {
  const ofLanguages = ['en', 'de', 'pl', 'pt'].map(async (locale) => {
    const id = await firstOf(api, `/api/articles?limit=1&locale=${locale}`);
    return `/support/knowledge-base/${id}`;
  });
  return Promise.all(ofLanguages);
}

test('forty script injections in every field run nothing, for administrators', async ({
  context,
}) => {
  const api = await contextOf(context, 'admin');
  const [line, server, account, ticket, message] = await Promise.all([
    firstOf(api, '/api/lines?limit=1'),
    firstOf(api, '/api/servers?limit=1'),
    firstOf(api, '/api/accounts?limit=1&sort=-credits'),
    firstOf(api, '/api/tickets?limit=1'),
    firstOf(api, '/api/messages?limit=1'),
  ]);
  const articles = await articlePaths(api);
  const problems = await look(context, [
    '/users/all',
    `/users/edit/${line}`,
    '/resellers',
    `/accounts/${account}`,
    `/accounts/${account}?tab=lines`,
    `/accounts/${account}?tab=credits`,
    `/accounts/${account}?tab=activity`,
    '/manage-groups',
    '/redeem-codes',
    '/credits',
    '/payments/pricing',
    '/payments/top-ups',
    `/messages?message=${message}`,
    '/tickets',
    `/tickets/${ticket}`,
    '/support/contact',
    '/support/knowledge-base?q=window',
    ...articles,
    articles[0]?.replace('base/', 'base/edit/') ?? '',
    '/cccam-servers/manage',
    `/cccam-servers/${server}`,
    `/cccam-servers/${server}/edit`,
    `/cccam-servers/${server}/differences`,
    '/cccam-servers/sync',
    '/audit',
    '/activation-codes',
    '/profile/edit',
    '/profile/texts',
    '/settings',
  ]);
  expect(problems).toEqual([]);
});

test('nor for owners', async ({ context }) => {
  const api = await contextOf(context, 'reseller');
  const [line, ticket, message] = await Promise.all([
    firstOf(api, '/api/lines?limit=1'),
    firstOf(api, '/api/tickets?limit=1'),
    firstOf(api, '/api/messages?limit=1'),
  ]);
  const problems = await look(context, [
    '/users/all',
    `/users/edit/${line}`,
    '/credits',
    '/payments/pricing',
    '/payments/top-ups',
    `/messages?message=${message}`,
    '/tickets',
    `/tickets/${ticket}`,
    '/support/knowledge-base?q=window',
    '/profile/edit',
    '/profile/texts',
    '/profile/webhooks',
  ]);
  expect(problems).toEqual([]);
});

test('nor for visitors', async ({ context }) => {
  const articles = await articlePaths(new Api(panel.url));
  const seller = await new Api(panel.url).signIn(accounts.reseller);
  const { url } = await seller.post(
    `/api/lines/${await firstOf(seller, '/api/lines?limit=1')}/page`,
  );
  const customerPage = new URL(url).pathname;
  const problems = await look(context, ['/sign-in', '/contact', customerPage, ...articles]);
  expect(problems).toEqual([]);
});
