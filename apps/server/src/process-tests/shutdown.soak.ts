import { Agent } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { startScriptedCardServer } from '../testing/card-servers/card-server.ts';
import type { TestClient } from '../testing/client.ts';
import { databases } from '../testing/panel.ts';
import {
  balanceOf,
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  openTestWorld,
  spawnPanel,
  tryToSpawnPanel,
} from '../testing/process/process.ts';
import { JSON_TYPE, sendRaw } from '../testing/wire/raw.ts';

const ROUNDS = 20;
const RATE = 200;
const AT_A_TIME = 50;
const LIMIT_MS = 10_000;
const REFUSED_WITHIN_MS = 2000;
const CREDITS = 1_000_000;

afterAll(endPanels);

/**
 * Requests accepted before the signal must be answered completely; later ones are answered or
 * refused. Returns the number of sales.
 */
async function loadAndEnd(
  env: Record<string, string>,
  round: number,
  world: TestWorld,
): Promise<number> {
  const panel = await spawnPanel(env);
  const { cookie } = world.client;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
  let open = 0;
  const replies: Promise<{ wasEarly: boolean; status: number | null }>[] = [];
  let isSignalled = false;
  const send = (number: number) => {
    const wasEarly = !isSignalled;
    const isSale = number % 10 === 0;
    const username = `r${round}-${number}`;
    const reply = sendRaw(panel.url, {
      method: isSale ? 'POST' : 'GET',
      path: isSale ? '/api/lines' : '/api/lines?limit=10',
      agent,
      headers: { ...(isSale ? JSON_TYPE : {}), cookie, 'idempotency-key': username },
      ...(isSale
        ? { body: JSON.stringify({ username, password: 'pw', subscription_months: 1 }) }
        : {}),
    });
    open += 1;
    replies.push(
      reply
        .then(
          ({ status }) => ({ wasEarly, status }),
          () => ({ wasEarly, status: null }),
        )
        .finally(() => {
          open -= 1;
        }),
    );
  };
  let number = 0;
  const timer = setInterval(() => {
    // A request that waits for a connection of the client would not count as sent before the signal.
    if (open < AT_A_TIME) send(number++);
  }, 1000 / RATE);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  isSignalled = true;
  const signalledAt = performance.now();
  panel.child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 200));
  clearInterval(timer);
  const outcomes = await Promise.all(replies);
  expect(await panel.ended).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - signalledAt).toBeLessThan(LIMIT_MS);
  agent.destroy();
  const failed = outcomes.filter(
    ({ wasEarly, status }) => wasEarly && status !== 200 && status !== 201,
  );
  expect(failed).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(RATE / 2);
  return outcomes.filter(({ status }) => status === 201).length;
}

interface TestWorld {
  client: TestClient;
}

test.each(databases)(
  `on %s ${ROUNDS} ends at ${RATE} requests a second fail none of them`,
  async (kind) => {
    const database = await makeMigratedDatabase(kind);
    const env = { ...database.env, ...FIRST_START };
    const cardServer = await startScriptedCardServer(async () => {});
    const first = await spawnPanel(env);
    const { reseller, admin } = await openTestWorld(first.url, cardServer.url, CREDITS);
    first.child.kill('SIGTERM');
    await first.ended;
    let sold = 0;
    for (let round = 0; round < ROUNDS; round++) sold += await loadAndEnd(env, round, reseller);
    const last = await spawnPanel(env);
    expect(await balanceOf(movedTo(last.url, admin), reseller.id)).toBe(CREDITS - 2 * sold);
    if (kind === 'embedded') {
      const second = await tryToSpawnPanel(env);
      const { code, ms } = await second.ended;
      expect(code).toBe(1);
      expect(ms).toBeLessThan(REFUSED_WITHIN_MS);
    }
    last.child.kill('SIGTERM');
    await last.ended;
    await cardServer.stop();
    await database.remove();
  },
  900_000,
);
