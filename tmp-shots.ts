import { mkdirSync, readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join, extname } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumLaunchOptions } from './scripts/test-chromium.ts';
import { Api } from './e2e/support/api.ts';
import { accounts } from './e2e/support/people.ts';

const [dist = '', out = '', only = ''] = process.argv.slice(2);
const url = `http://127.0.0.1:${process.env.E2E_PORT}`;
mkdirSync(out, { recursive: true });
const admin = await new Api(url).signIn(accounts.admin);
const seller = await new Api(url).signIn(accounts.reseller);
const lines = (await admin.get('/api/lines?limit=25')).items;
const mine = (await seller.get('/api/lines?limit=25')).items;
const server = (await admin.get('/api/servers')).items[0];
const account = (await admin.get('/api/accounts?limit=5')).items;
const tickets = (await admin.get('/api/tickets')).items ?? [];
const articles = (await admin.get('/api/articles').catch(() => ({ items: [] }))).items ?? [];
const groups = (await admin.get('/api/groups')).items ?? [];
const a = account.find((x: any) => x.email === accounts.reseller.email)?.id ?? account[0].id;
type Shot = [name: string, who: 'admin' | 'reseller' | 'none', path: string, act?: (page: any) => Promise<void>];
const press = (name: RegExp | string) => async (page: any) => { await page.getByRole('button', { name }).filter({ visible: true }).first().click({ timeout: 5000 }); await page.waitForTimeout(700); };
const shots: Shot[] = [
  ['sign-in', 'none', '/sign-in'], ['sign-up', 'none', '/sign-up'], ['forgot', 'none', '/forgot-password'], ['reset', 'none', '/reset-password?token=x'], ['contact', 'none', '/contact'], ['404', 'none', '/nothing-here'], ['pub-articles','none','/support/knowledge-base'],
  ['home-a', 'admin', '/'], ['home-r', 'reseller', '/'], ['numbers-r', 'reseller', '/numbers'], ['numbers-a', 'admin', '/numbers'],
  ['lines-a', 'admin', '/users/all'], ['lines-r', 'reseller', '/users/all'], ['add-r', 'reseller', '/users/add'], ['add-a', 'admin', '/users/add'],
  ['line-a', 'admin', `/users/${lines[0].id}`], ['line-r', 'reseller', `/users/${mine[1].id}`], ['line-susp', 'admin', `/users/${lines.find((l: any) => l.suspended || l.status === 'suspended')?.id ?? lines[6].id}`], ['line-expired', 'admin', `/users/${lines.find((l: any) => l.status === 'expired')?.id ?? lines[5].id}`],
  ['line-edit', 'reseller', `/users/${mine[1].id}?part=edit`], ['line-usage', 'reseller', `/users/${mine[1].id}?part=usage`], ['line-receiver', 'reseller', `/users/${mine[1].id}?part=receiver`],
  ['line-panel', 'admin', `/users/all?line=${lines[0].id}`], ['import-a', 'admin', '/users/import'], 
  ['servers-a', 'admin', '/cccam-servers/manage'], ['server-add', 'admin', '/cccam-servers/add'], ['server', 'admin', `/cccam-servers/${server.id}`], ['server-lines', 'admin', `/cccam-servers/${server.id}/lines`], ['server-clients', 'admin', `/cccam-servers/${server.id}/clients`], ['server-diff', 'admin', `/cccam-servers/${server.id}/differences`], ['server-health', 'admin', `/cccam-servers/${server.id}/health`], ['server-edit', 'admin', `/cccam-servers/${server.id}/edit`], ['server-test', 'admin', `/cccam-servers/${server.id}/test`], ['sync', 'admin', '/cccam-servers/sync'], ['servers-r', 'reseller', '/cccam-servers/manage'],
  ['resellers', 'admin', '/resellers'], ['resellers-add', 'admin', '/resellers/add'], ['accounts', 'admin', '/accounts'], ['accounts-add', 'admin', '/accounts/add'], ['account', 'admin', `/accounts/${a}`], ['account-credits', 'admin', `/accounts/${a}?tab=credits`], ['account-activity', 'admin', `/accounts/${a}?tab=activity`], ['account-lines', 'admin', `/accounts/${a}?tab=lines`],
  ['groups', 'admin', '/manage-groups'], ['group-add', 'admin', '/manage-groups/add'], ['group', 'admin', `/manage-groups/${groups[0]?.id}`],
  ['articles', 'admin', '/support/knowledge-base'], ['article-add', 'admin', '/support/knowledge-base/add'], ['article', 'admin', `/support/knowledge-base/${articles[0]?.id}`],
  ['redeem', 'reseller', '/redeem-code'], ['codes', 'admin', '/redeem-codes'], ['codes-add', 'admin', '/redeem-codes/add'], ['credits-a', 'admin', '/credits'], ['credits-r', 'reseller', '/credits'],
  ['messages', 'reseller', '/messages'], ['messages-create', 'admin', '/messages/create'], ['profile', 'reseller', '/profile/edit'], ['settings', 'admin', '/settings'], ['pricing-r', 'reseller', '/payments/pricing'], ['pricing-a', 'admin', '/payments/pricing'], ['top-ups', 'admin', '/payments/top-ups'],
  ['user', 'admin', '/user'], ['products', 'admin', '/products'], ['blog', 'admin', '/blog'], ['contact-us', 'reseller', '/support/contact-us'], ['contact-msgs', 'admin', '/support/contact'], ['tickets-setup', 'admin', '/tickets/setup'], ['connection', 'admin', '/supabase-test'], ['audit', 'admin', '/audit'],
  ['tickets', 'reseller', '/tickets'], ['tickets-new', 'reseller', '/tickets/new'], ['ticket', 'admin', `/tickets/${tickets[0]?.id}`],
  ['x-filter', 'admin', '/users/all', press('Filter')],
  ['x-renew', 'reseller', `/users/${mine[1].id}`, press('Another date')],
  ['x-bulk', 'admin', '/users/all', async (page) => { await page.getByRole('checkbox').nth(1).check({ force: true }).catch(() => undefined); await page.waitForTimeout(500); }],
  ['x-bell', 'admin', '/users/all', press(/Notifications|unread/i)],
  ['x-account', 'admin', '/users/all', press(/Account|Administrator/)],
  ['x-palette', 'admin', '/users/all', async (page) => { await page.keyboard.press('Control+k'); await page.waitForTimeout(900); }],
  ['x-shortcuts', 'admin', '/users/all', async (page) => { await page.keyboard.press('?'); await page.waitForTimeout(700); }],
  ['x-suspend', 'admin', `/users/${lines[0].id}`, press(/^Suspend/)],
];
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html', '.woff2': 'font/woff2', '.json': 'application/json', '.webmanifest': 'application/manifest+json', '.png': 'image/png' };
const browser = await chromium.launch(await chromiumLaunchOptions());
const cookie = (api: any) => { const [name = '', value = ''] = api.cookie.split('=', 2); return [{ name, value: value.split(';')[0], url, httpOnly: true, sameSite: 'Lax' as const }]; };
for (const size of [{ name: '1440', width: 1440, height: 900 }, { name: '390', width: 390, height: 844 }]) {
  for (const who of ['none', 'admin', 'reseller'] as const) {
    const context = await browser.newContext({ viewport: size, locale: 'en-GB', timezoneId: 'UTC', serviceWorkers: 'block', reducedMotion: 'reduce' });
    if (who !== 'none') await context.addCookies(cookie(who === 'admin' ? admin : seller));
    await context.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith('/api')) return pathname === '/api/events' ? route.abort() : route.continue();
      const file = join(dist, pathname);
      const isFile = extname(pathname) && existsSync(file);
      const path = isFile ? file : join(dist, 'index.html');
      return route.fulfill({ body: readFileSync(path), contentType: types[extname(path)] ?? 'text/plain' });
    });
    const page = await context.newPage();
    for (const [name, by, path, act] of shots) {
      if (by !== who || (only && !new RegExp(only).test(name))) continue;
      try {
        await page.goto(url + path, { waitUntil: 'load' });
        await page.waitForLoadState('networkidle', { timeout: 4000 }).catch(() => undefined);
        await page.waitForTimeout(250);
        await act?.(page);
        await page.screenshot({ path: join(out, `${name}-${size.name}.png`), fullPage: !act, animations: 'disabled', timeout: 20000 });
      } catch (error) { console.log(name, size.name, String(error).slice(0, 200)); }
    }
    await context.close();
  }
}
await browser.close();
