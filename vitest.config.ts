import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that spend most of their time waiting for a timeout, a lease or another process. */
const waitingFiles = [
  'clock.test.ts',
  'server-health.test.ts',
  'mail.test.ts',
  'damaged-folder.test.ts',
  'lost-accounts.test.ts',
  'database-silent.test.ts',
  'confirmation-mail.test.ts',
  'rotate-key.test.ts',
];

/** An order in which two files that compute follow each one that waits, so that the processors are never idle. */
class Interleaved extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) =>
      waitingFiles.some((file) => moduleId.endsWith(`/${file}`));
    const computing = sorted.filter((file) => !waits(file));
    const mixed = sorted.filter(waits).flatMap((file) => [file, ...computing.splice(0, 2)]);
    return [...mixed, ...computing];
  }
}

const conformance = readFileSync(join(import.meta.dirname, 'scripts/conformance.md'), 'utf8');

/** Tags that tests may have; the runner refuses others. */
export const tags = [
  {
    name: 'thorough',
    description: 'Kills, restarts, fills or repeats: run by `npm run test:all`, not by `npm test`',
  },
  ...[...conformance.matchAll(/^\| (\d+\.\d+) /gm)].map(([, sentence]) => ({
    name: `spec:${sentence}`,
    description: 'Proves this sentence of the specification',
  })),
];

export default defineConfig({
  test: {
    include: ['apps/**/*.test.{ts,tsx}', 'packages/**/*.test.ts', 'scripts/**/*.test.ts'],
    tags,
    setupFiles: [
      'apps/server/src/testing/cheap-passwords.setup.ts',
      'apps/server/src/testing/at-end.setup.ts',
    ],
    globalSetup: ['apps/server/src/testing/postgres.setup.ts'],
    // There are more workers than processors, because tests wait for card servers, databases and processes, too.
    maxWorkers: 4,
    // A worker loads the server once instead of for every file, which saves a third of all processor time.
    isolate: false,
    sequence: { sequencer: Interleaved },
    // Only a hanging test takes this long, because tests wait for what they expect, even on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 10 } },
  },
});
