// @module-tag thorough
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sequences } from '../../testing/ledger/model/commands.ts';
import { runSequence } from '../../testing/ledger/model/run.ts';
import { runTogether } from '../../testing/ledger/model/together.ts';
import { type LedgerWorld, openLedgerWorld } from '../../testing/ledger/model/world.ts';
import { databases } from '../../testing/panel.ts';
import { isSoak, size } from '../../testing/size.ts';
import { checkLedger } from './verify-ledger.ts';

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 300_000 });

/** Sequences that run concurrently; they are independent of each other. */
const SIDE_BY_SIDE = { postgres: 6, embedded: 1 };
const SEQUENCES = {
  postgres: size(150, 10_000),
  embedded: size(20, 1000),
};
const TOGETHER = { postgres: size(40, 2000), embedded: size(6, 200) };
/** The seed is different at each full-size run. A failure prints it, so that the run can be repeated. */
const SEED = Number(process.env.LEDGER_SEED || (isSoak ? Date.now() % 2 ** 31 : 1));

describe.each(databases)('the ledger beside a plain model on %s', (kind) => {
  let world: LedgerWorld;
  beforeAll(async () => {
    world = await openLedgerWorld(kind);
  });
  afterAll(() => world?.close());

  async function forAny(count: number, run: typeof runSequence): Promise<void> {
    const lanes = SIDE_BY_SIDE[kind];
    const property = fc.asyncProperty(sequences, (sequence) => run(world, sequence));
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
    const { db, secrets } = world.services;
    expect(await checkLedger(db, secrets)).toMatchObject({ ok: true, differences: [] });
  });
});
