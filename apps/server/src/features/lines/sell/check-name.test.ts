import { beforeAll, expect, test } from 'vitest';
import { newLine } from '../../../testing/lines.ts';
import { startTestShop, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  const shop = await startTestShop();
  panel = shop.panel;
  return shop.stop;
});

async function seller() {
  const { client } = await panel.reseller({ credits: 50 });
  return {
    sell: (name: string) => client.post('/api/lines', newLine(name)),
    check: (username: unknown) => client.post('/api/lines/check-name', { username }),
  };
}

test('gives the same answer for a name as selling a line with it', async () => {
  const [one, other] = [await seller(), await seller()];
  await one.sell('ż-taken');
  for (const who of [one, other]) {
    expect((await who.check('free')).body).toEqual({ is_free: true, problem: null });
    expect((await who.check(' ż-taken ')).body).toEqual({ is_free: false, problem: null });
    // A letter with a combining accent looks like the precomposed letter, and is normalised to the same name.
    expect((await who.check('z\u0307-taken')).body).toEqual({ is_free: false, problem: null });
  }
  expect((await other.sell('z\u0307-taken')).body).toMatchObject({ code: 'USERNAME_EXISTS' });
});

test('a name that no line can have is refused, with the character', async () => {
  const { check } = await seller();
  expect((await check('')).body).toMatchObject({ code: 'USERNAME_REQUIRED' });
  expect(await check('a{b')).toMatchObject({
    status: 422,
    body: { code: 'INVALID_LINE_USERNAME', data: { character: '{' } },
  });
  expect((await check('a\tb')).body.data.character).toBe('U+0009');
});

test('an account that checks many taken names is stopped, and learns no more', async () => {
  const [one, curious] = [await seller(), await seller()];
  await one.sell('sought');
  for (let time = 1; time <= 60; time++) {
    expect((await curious.check('sought')).body).toEqual({ is_free: false, problem: null });
    if (time % 25 === 0)
      expect((await curious.check('unused')).body).toEqual({ is_free: true, problem: null });
  }
  for (const name of ['sought', 'unused']) {
    expect(await curious.check(name)).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_ATTEMPTS' },
    });
  }
  expect((await one.check('sought')).status).toBe(200);
});
