import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sequences } from '../../testing/ledger-model/commands.ts';
import { runSequence } from '../../testing/ledger-model/run.ts';
import { openShop, type Shop } from '../../testing/ledger-model/shop.ts';
import { runTogether } from '../../testing/ledger-model/together.ts';
import { databases } from '../../testing/panel.ts';
import { isSoak, size } from '../../testing/size.ts';
import { checkLedger } from './verify-ledger.ts';

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 120_000, hookTimeout: 120_000 });

/** Sequences know nothing of each other: so many go on at once. */
const SIDE_BY_SIDE = { postgres: 6, embedded: 1 };
const SEQUENCES = {
  postgres: size(150, 10_000),
  embedded: size(20, 1000),
};
const TOGETHER = { postgres: size(40, 2000), embedded: size(6, 200) };
/** Another every time at full size; told with a failure, which can be repeated with it. */
const SEED = Number(process.env.LEDGER_SEED || (isSoak ? Date.now() % 2 ** 31 : 1));

describe.each(databases)('the ledger beside a plain model on %s', (kind) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(kind);
  });
  afterAll(() => shop?.close());

  async function forAny(count: number, run: typeof runSequence): Promise<void> {
    const lanes = SIDE_BY_SIDE[kind];
    const property = fc.asyncProperty(sequences, (sequence) => run(shop, sequence));
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        fc.assert(property, { numRuns: Math.ceil(count / lanes), seed: SEED + lane }),
      ),
    );
  }

  test(`never differs in ${SEQUENCES[kind]} random sequences`, () =>
    forAny(SEQUENCES[kind], runSequence));

  test(`keeps its promises in ${TOGETHER[kind]} random sequences at once`, () =>
    forAny(TOGETHER[kind], runTogether));

  test('is sound after all of it', async () => {
    const { db, secrets } = shop.services;
    expect(await checkLedger(db, secrets)).toMatchObject({ ok: true, differences: [] });
  });
});
