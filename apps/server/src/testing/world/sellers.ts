import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { TestClient, type TestReply } from '../client.ts';
import { eventually } from '../eventually.ts';
import { readServerFiles } from '../lines.ts';
import { movedTo, type TestWorld } from '../process/process.ts';

/** Credits of a seller, enough for all sales of a test. */
export const CREDITS = 1_000_000;
const SELLERS = 4;

/** A request that is repeated with the same key until it is answered. */
interface SentRequest {
  path: string;
  body: object;
  key: string;
}

function wasNeverSent({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

/** Sellers that keep sending requests while the panel is killed and restarted. */
export class Sellers {
  url: string;
  readonly #cookie: string;
  readonly #unanswered: SentRequest[] = [];
  readonly answered: { sent: SentRequest; reply: TestReply }[] = [];
  #isOver = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(url: string, client: TestClient) {
    this.url = url;
    this.#cookie = client.cookie;
  }

  start(): void {
    this.#work = Promise.all(Array.from({ length: SELLERS }, () => this.#sell()));
  }

  async #sell(): Promise<void> {
    while (!this.#isOver) await this.#try(this.#next());
  }

  #next(): SentRequest {
    const key = randomUUID();
    const sold = this.answered.filter(({ sent }) => sent.path === '/api/lines');
    const line = sold[randomInt(Math.max(1, sold.length))]?.reply.body.line;
    if (line && randomInt(3) === 0) {
      return { key, path: `/api/lines/${line.id}/renew`, body: { subscription_months: 1 } };
    }
    const body = { username: `k-${key.slice(-18)}`, password: 'pw', subscription_months: 1 };
    return { key, path: '/api/lines', body };
  }

  /** Sends a request again. Returns false if the reply was no success, so that the request is kept. */
  async #try(sent: SentRequest): Promise<boolean> {
    const client = new TestClient(this.url);
    client.cookie = this.#cookie;
    const { path, body, key } = sent;
    const reply = await client
      .post(path, body, { 'idempotency-key': key })
      .catch((error: Error) => (wasNeverSent(error) ? undefined : null));
    // The panel was down; another attempt follows once it runs again.
    if (reply === undefined && !this.#isOver) {
      await sleep(50);
      return false;
    }
    if (reply && reply.status < 300) {
      this.answered.push({ sent, reply });
      return true;
    }
    if (reply) expect([409, 503], JSON.stringify(reply.body)).toContain(reply.status);
    this.#unanswered.push(sent);
    await sleep(200);
    return false;
  }

  /** Repeats all requests that got no reply. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#work;
    await eventually(async () => {
      const left = this.#unanswered.splice(0);
      await Promise.all(left.map((sent) => this.#try(sent)));
      expect(this.#unanswered).toEqual([]);
    }, 300_000);
  }
}

/**
 * Expects that every acknowledged sale exists, is paid once and is on the card server, and that no other line exists.
 */
export async function expectNothingLost(
  { admin, reseller }: TestWorld,
  sellers: readonly Sellers[],
  agent: { dir: string },
): Promise<void> {
  const url = sellers[0]?.url ?? '';
  const answered = sellers.flatMap((one) => one.answered);
  const sales = answered.filter(({ sent }) => sent.path === '/api/lines');
  const client = movedTo(url, reseller.client);
  const boss = movedTo(url, admin);
  expect((await client.get('/api/me')).body.credits).toBe(CREDITS - 2 * answered.length);
  expect((await boss.get('/api/credits/verify')).body).toMatchObject({ ok: true, differences: [] });
  const names = sales.map(({ reply }) => reply.body.line.username).sort();
  await eventually(async () => {
    const { cccam } = await readServerFiles(agent);
    expect(
      cccam
        .match(/^F: \S+/gm)
        ?.map((text) => text.slice(3))
        ?.sort(),
    ).toEqual(names);
  }, 120_000);
  expect((await boss.get('/api/lines/counts')).body).toMatchObject({ not_synced: 0 });
}
