import fc from 'fast-check';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { sequences } from '../../testing/ledger-model/commands.ts';
import { runSequence } from '../../testing/ledger-model/run.ts';
import { openShop, type Shop } from '../../testing/ledger-model/shop.ts';
import { databases } from '../../testing/panel.ts';
import { isSoak, size } from '../../testing/size.ts';

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 120_000, hookTimeout: 120_000 });

/** Sequences know nothing of each other: so many go on at once. */
const SIDE_BY_SIDE = { postgres: 6, embedded: 1 };
const SEQUENCES = {
  postgres: size(150, 10_000),
  embedded: size(20, 1000),
};
/** Another every time at full size; told with a failure, which can be repeated with it. */
const SEED = Number(process.env.LEDGER_SEED || (isSoak ? Date.now() % 2 ** 31 : 1));

describe.each(databases)('the ledger beside a plain model on %s', (kind) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(kind);
  });
  afterAll(() => shop?.close());

  test(`never differs in ${SEQUENCES[kind]} random sequences`, async () => {
    const lanes = SIDE_BY_SIDE[kind];
    const property = fc.asyncProperty(sequences, (sequence) => runSequence(shop, sequence));
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        fc.assert(property, { numRuns: Math.ceil(SEQUENCES[kind] / lanes), seed: SEED + lane }),
      ),
    );
  });
});
