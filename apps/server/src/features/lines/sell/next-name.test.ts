import { beforeAll, describe, expect, test } from 'vitest';
import { newLine } from '../../../testing/lines.ts';
import { databases, startTestShop, type TestPanel } from '../../../testing/panel.ts';

describe.each(databases)('the next name on %s', (database) => {
  let panel: TestPanel;
  beforeAll(async () => {
    const shop = await startTestShop(database);
    panel = shop.panel;
    return shop.stop;
  });

  async function seller(name_prefix?: string) {
    const account = await panel.reseller({ credits: 500 });
    const { client } = account;
    if (name_prefix !== undefined) await client.patch('/api/me/settings', { name_prefix });
    return {
      ...account,
      sell: async (name: string) => {
        const { status } = await client.post('/api/lines', newLine(name));
        expect(status).toBe(201);
      },
      next: async (after?: string) => {
        const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
        return (await client.get(`/api/lines/next-name${query}`)).body.username;
      },
    };
  }

  test('has the prefix of the account and the number after its highest', async () => {
    const { sell, next } = await seller('kiosk-');
    expect(await next()).toBe('kiosk-0001');
    for (const name of ['kiosk-0007', 'kiosk-x', 'kiosk-0009b', 'kiosk-', 'kiosk', 'kiosl-0042'])
      await sell(name);
    expect(await next()).toBe('kiosk-0008');
    await sell('kiosk-12345');
    expect(await next()).toBe('kiosk-12346');
  });

  test('without a prefix it begins as the email does', async () => {
    const { email, next } = await seller();
    const [local = ''] = email.split('@');
    expect(await next()).toMatch(/^[a-z0-9._-]{1,13}-0001$/);
    expect(await next()).toContain(local.slice(0, 6));
  });

  test('after a name that was refused it is the one after', async () => {
    const { sell, next } = await seller('salon_%-');
    await sell('salon_%-0003');
    expect(await next('salon_%-0004')).toBe('salon_%-0005');
    expect(await next('salon_%-0001')).toBe('salon_%-0004');
    expect(await next('another-0900')).toBe('salon_%-0004');
    expect(await next('salon_%-9e9')).toBe('salon_%-0004');
  });

  test('after the highest number that has room, gaps are filled', async () => {
    const { sell, next } = await seller('cafe-');
    await sell('cafe-999999');
    expect(await next()).toBe('cafe-0001');
    expect(await next('cafe-0001')).toBe('cafe-0002');
    expect(await next('cafe-999999')).toBe('cafe-0001');
  });

  test('tells nothing of the lines of others, and counts those below', async () => {
    const [one, other] = [await seller('bar-'), await seller('bar-')];
    await one.sell('bar-0300');
    expect(await other.next()).toBe('bar-0001');
    const below = await panel.below(one, { credits: 20 });
    expect((await below.client.post('/api/lines', newLine('bar-0400'))).status).toBe(201);
    expect(await one.next()).toBe('bar-0401');
  });

  test('a prefix is as long and of such letters as a name may be', async () => {
    const { client } = await seller();
    const patch = (name_prefix: unknown) => client.patch('/api/me/settings', { name_prefix });
    expect(await patch('a b')).toMatchObject({
      status: 422,
      body: { code: 'INVALID_LINE_USERNAME' },
    });
    expect(await patch('fifteen-letters')).toMatchObject({
      status: 422,
      body: { code: 'TOO_MANY_BYTES', data: { maximum: 14 } },
    });
    expect((await patch('fourteen-long-')).body.name_prefix).toBe('fourteen-long-');
    expect((await patch(null)).body.name_prefix).toBeNull();
  });
});
