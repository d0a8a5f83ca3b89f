import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { verifyWebhook } from '../../apps/server/src/testing/wire/webhook-receiver.ts';
import { expectAccessible } from '../support/accessible.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

/** A shop that refuses its first request. */
async function startShop() {
  const bodies: { headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(bodies.length === 1 ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { bodies, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const choose = async (page: Page, url: string, entry: string) => {
  await page.getByRole('button', { name: `More actions: ${url}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a webhook is added, gets a sale, is sent again, and rotated', { tag: '@main' }, async ({
    page,
    newAccount,
  }) => {
    const shop = await startShop();
    const account = await newAccount({ credits: 10 });
    await signIn(page, account, '/profile/webhooks');
    await expect(page.getByText('No webhooks yet')).toBeVisible();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add webhook' });
    await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
    await dialog.getByLabel('Server down').uncheck();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog).toContainText('Enter a public address that begins with https://');
    await dialog.getByLabel('URL').fill(shop.url);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog).toHaveCount(0);
    const secret = (await page.locator('main code').textContent()) ?? '';
    await expectAccessible(page);
    const api = await apiOf(account);
    await api.post('/api/lines', {
      username: `hook-${Math.random().toString(36).slice(2, 10)}`,
      password: 'pw-of-hook',
      subscription_months: 1,
    });
    await expect.poll(() => shop.bodies.length).toBeGreaterThan(0);
    const [first] = shop.bodies;
    expect(verifyWebhook(secret, first?.headers ?? {}, first?.body ?? '')).toMatchObject({
      type: 'line.created',
    });
    await choose(page, shop.url, 'Deliveries');
    const deliveries = page.getByRole('dialog', { name: 'Deliveries' });
    await expect(deliveries).toContainText('Line created');
    await deliveries.getByRole('button', { name: 'Redeliver' }).click();
    await expect(deliveries).toContainText('Delivered');
    await expectAccessible(page);
    await deliveries.getByRole('button', { name: 'Close' }).click();
    await choose(page, shop.url, 'Rotate secret');
    await page
      .getByRole('dialog', { name: 'Rotate the secret?' })
      .getByRole('button', { name: 'Rotate secret' })
      .click();
    await expect(page.locator('main code')).not.toHaveText(secret);
    await page.reload();
    await expect(page.getByRole('listitem').filter({ hasText: shop.url })).toContainText(
      'Line created',
    );
    await expect(page.locator('main code')).toHaveCount(0);
    shop.server.close();
  });
});
