import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAgent } from '../../apps/agent/src/agent.ts';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { countEffort } from '../support/effort.ts';
import { freePort } from '../support/free-port.ts';
import { panelUrl } from '../support/panel.ts';
import { storeOnline } from '../support/presence.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

// Five tasks of a day, each with the effort for a person. bench/effort.md has the same figures.

const day = today(ZONE);

/** The card servers that this test started. */
let started: CardServer[] = [];
test.afterEach(async ({ admin }) => {
  for (const agent of started) await agent.remove();
  started = [];
  await takeServersBack(admin);
});

type AddServer = (name: string, agent: CardServer) => Promise<string>;

/** Starts a card server and adds it. */
async function newServer(
  addServer: AddServer,
  prefix: string,
  options?: { isTold?: boolean | undefined },
) {
  const agent = new CardServer(options);
  await agent.start();
  started.push(agent);
  const name = `${prefix} ${unique()}`;
  return { id: await addServer(name, agent), name, agent };
}

interface Complaint {
  isTold?: boolean;
  says: RegExp;
  chip: string;
  /** The label of the button that solves the problem. */
  helps: string | RegExp;
  cause?: (facts: {
    id: string;
    admin: Api;
    own: Api;
    server: Awaited<ReturnType<typeof newServer>>;
  }) => Promise<unknown>;
}

test.describe.configure({ mode: 'default' });

/** Makes the calls that the command makes from a card server. */
async function callPanel(path: string, body: object) {
  const reply = await fetch(`${panelUrl}/api/servers/awaited/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return reply.json();
}

/** Starts an agent with the values of the shown command, as on a card server. Returns a function that stops it. */
async function runCommand(page: Page) {
  const command = page.getByRole('form', { name: 'Add server' }).locator('code').first();
  await expect(command).toContainText('/agent.sh');
  const key = /KEY=(\S+)/.exec(await command.innerText())?.[1] ?? '';
  const dir = await mkdtemp(join(tmpdir(), 'linekeeper-e2e-agent-'));
  const port = await freePort();
  const call = { key, api_port: port, port: 12_000, agent_version: '1.3.0' };
  const { username, password } = await callPanel('call', call);
  const agent = await startAgent({ dir, username, password, port, timeZone: ZONE });
  await callPanel('ready', { key });
  return async () => {
    await agent.close();
    await rm(dir, { recursive: true });
  };
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('first sale from nothing', async ({ page, isPhone }) => {
    const name = `First ${unique()}`;
    const effort = await countEffort(page);
    await signIn(page, 'admin', '/cccam-servers/add');
    await page.getByRole('button', { name: /^Copy/ }).first().click();
    const stop = await runCommand(page);
    try {
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await expect(page.getByText('The panel reached it in')).toBeVisible();
      await page.getByLabel('Server name').pressSequentially(name);
      await page.getByRole('button', { name: 'Add server' }).click();
      await expect(page.getByRole('switch', { name: 'Offered for new lines' })).toBeChecked();
      if (isPhone) await page.getByRole('link', { name: 'Sell', exact: true }).click();
      else await page.keyboard.press('n');
      await page.getByRole('radio', { name: /^Trial/ }).check();
      await page.getByRole('button', { name: 'Create trial line' }).click();
      await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
      expect(effort()).toEqual({ taps: isPhone ? 6 : 5, fields: 1 });
    } finally {
      await stop();
    }
  });

  test('renewals of what is due: one tap each', async ({ page, newAccount, admin, addServer }) => {
    const { id: server_id } = await newServer(addServer, 'Due');
    const shop = await newAccount({ credits: 100 });
    for (let nth = 0; nth < 5; nth++)
      await sellLine(admin, `due${nth}`, {
        subscription_months: undefined,
        expiry_date: formatDay(day),
        owner_id: shop.id,
        server_id,
      });
    const effort = await countEffort(page);
    await signIn(page, shop);
    const buttons = page.getByRole('main').getByRole('button', { name: /^Renew for \d+: due/ });
    await expect(buttons).toHaveCount(5);
    for (let left = 5; left > 0; left--) {
      await buttons.first().click();
      await expect(buttons).toHaveCount(left - 1);
    }
    expect(effort()).toEqual({ taps: 5, fields: 0 });
  });

  const complaints: Record<string, Complaint> = {
    'a change waits for a server that is away': {
      chip: 'Server down',
      says: /^A change is pending: .* has not responded since/,
      helps: 'Request a move',
      cause: async ({ id, admin, server, own }) => {
        await server.agent.stop();
        await admin.post(`/api/servers/${server.id}/test`);
        await own.patch(`/api/lines/${id}`, { password: 'other-harbor-92-kite' });
      },
    },
    'its server is away, and nothing waits': {
      chip: 'Server down',
      says: /^Paid until .*; .* has not responded since/,
      helps: 'Request a move',
      cause: async ({ admin, server }) => {
        await server.agent.stop();
        await admin.post(`/api/servers/${server.id}/test`);
      },
    },
    'nobody tells its server to read': {
      isTold: false,
      chip: 'Not confirmed',
      says: /^Delivered to .*; it is unknown whether it has been loaded/,
      helps: 'Ask an administrator',
    },
    'it is suspended': {
      chip: 'Suspended',
      says: /^Suspended/,
      helps: 'Resume',
      cause: ({ id, own }) => own.post(`/api/lines/${id}/suspend`, { reason: 'unpaid' }),
    },
    'it has ended': {
      chip: 'Expired',
      says: /^Expired /,
      helps: /^Renew/,
      cause: ({ id, admin }) =>
        admin.patch(`/api/lines/${id}`, { expiry_date: formatDay(addDays(day, -1)) }),
    },
    'its receiver has the password of before': {
      chip: 'Active',
      says: /Receiver last online .*, before the password was changed/,
      helps: 'Receiver',
      cause: async ({ id, server, own }) => {
        await storeOnline(server.id, { [id]: { connections: 0, hours: 3 } });
        await own.patch(`/api/lines/${id}`, { password: 'other-harbor-92-kite' });
      },
    },
    'no receiver was ever on': {
      chip: 'Active',
      says: /No receiver has connected yet/,
      helps: 'Receiver',
      cause: ({ server }) => storeOnline(server.id, {}),
    },
  };
  for (const [why, { isTold, says, chip, helps, cause }] of Object.entries(complaints)) {
    test(`a customer complains: one screen says that ${why}`, async ({
      page,
      newAccount,
      admin,
      addServer,
      isPhone,
    }) => {
      const server = await newServer(addServer, 'Silent', { isTold });
      const shop = await newAccount({ credits: 100 });
      const { username, id } = await sellLine(admin, 'complains', {
        subscription_months: undefined,
        expiry_date: formatDay(addDays(day, 20)),
        owner_id: shop.id,
        server_id: server.id,
      });
      await cause?.({ id, admin, server, own: await apiOf(shop) });
      const effort = await countEffort(page);
      await signIn(page, shop);
      // The strip moves the page when it appears, and a press that misses because of that would count too.
      if (chip === 'Server down') await expect(page.getByText('has not responded')).toBeVisible();
      if (isPhone) await page.getByRole('button', { name: 'Search', exact: true }).click();
      else await page.getByRole('button', { name: 'Search or jump to' }).click();
      await page.getByRole('dialog').getByRole('combobox').pressSequentially(username);
      const found = page.getByRole('option', { name: username }).first();
      await expect(found).toContainText(chip);
      await found.click();
      const line = isPhone
        ? page.getByRole('main')
        : page.getByRole('complementary', { name: `Line ${username}` });
      await expect(line.getByRole('status').first()).toContainText(says);
      const place = isPhone ? page : line;
      await expect(place.getByText(chip).first()).toBeVisible();
      const help = { name: helps };
      const button = page.getByRole('button', help).or(page.getByRole('link', help));
      await expect(button.first()).toBeVisible();
      expect(effort()).toEqual({ taps: 2, fields: 1 });
    });
  }

  test('a server dies: its resellers are told, and its lines moved', async ({
    page,
    addServer,
    admin,
  }) => {
    const [dead, living] = [
      await newServer(addServer, 'Dead'),
      await newServer(addServer, 'Living'),
    ];
    await sellLine(admin, 'moves', { server_id: dead.id });
    await dead.agent.stop();
    await admin.post(`/api/servers/${dead.id}/test`);
    const effort = await countEffort(page);
    await signIn(page, 'admin');
    const strip = page.getByRole('link', { name: `${dead.name} has not responded` });
    await strip.click();
    await page.getByRole('main').getByRole('link', { name: 'Write' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText(`to resellers with lines on ${dead.name}`)).toBeVisible();
    await strip.click();
    await page.getByRole('main').getByRole('button', { name: 'Move lines' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: new RegExp(living.name) }).click();
    await dialog.getByRole('button', { name: 'Move lines' }).click();
    await expect.poll(() => living.agent.read('CCcam.cfg').catch(() => '')).toContain('F: moves-');
    expect(effort()).toEqual({ taps: 7, fields: 0 });
  });

  test('a payment is missing: it is approved from the first card', async ({
    page,
    admin,
    newAccount,
  }) => {
    const offer = { name: `Missing ${unique()}`, credits: 77, price_minor: 4990, currency: 'EUR' };
    const { id } = (await admin.post('/api/packages', offer)).package;
    await admin.patch('/api/settings', { bank_details: 'Lines Ltd' });
    const buyer = await newAccount();
    const own = await apiOf(buyer);
    await own.post('/api/topups', { package_id: id });
    const effort = await countEffort(page);
    await signIn(page, 'admin');
    const card = page.getByRole('region', { name: 'Needs attention' });
    await card
      .getByRole('link', { name: /^Review: .* ordered|^Show: .* top-ups? to approve/ })
      .click();
    await page
      .getByRole('button', { name: `Approve 77 credits for ${buyer.email}`, exact: true })
      .click();
    await expect.poll(async () => (await own.get('/api/me')).credits).toBe(77);
    expect(effort()).toEqual({ taps: 2, fields: 0 });
    await admin.delete(`/api/packages/${id}`);
  });
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test('a phone in the pocket: the app’s icon, and one press renews', async ({
    page,
    newAccount,
    admin,
    addServer,
    request,
  }) => {
    const { id: server_id } = await newServer(addServer, 'Pocket');
    const shop = await newAccount({ credits: 10 });
    const { id } = await sellLine(admin, 'pocket', {
      subscription_months: undefined,
      expiry_date: formatDay(day),
      owner_id: shop.id,
      server_id,
    });
    // The installed app opens the address in its manifest, still signed in.
    const manifest = await request.get('/manifest.webmanifest');
    const { start_url, display } = await manifest.json();
    expect(display).toBe('standalone');
    const effort = await countEffort(page);
    await signIn(page, shop, start_url);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Renew for \d+: pocket/ })
      .click();
    const own = await apiOf(shop);
    await expect
      .poll(async () => (await own.get(`/api/lines/${id}`)).expiry_date)
      .not.toBe(formatDay(day));
    // With the tap on the icon, and the finger that unlocks the phone, there are three.
    expect(effort()).toEqual({ taps: 1, fields: 0 });
  });
});
