import { defineConfig } from 'vitest/config';
import { files } from './scripts/soak-report.ts';
import { tags } from './vitest.config.ts';

export default defineConfig({
  test: {
    include: files,
    tags,
    setupFiles: ['apps/server/src/testing/at-end.setup.ts'],
    globalSetup: ['apps/server/src/testing/postgres.setup.ts'],
    // One file at a time, because measurements must not compete with each other.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 10 } },
    env: { SOAK: '1' },
    reporters: ['default', './scripts/soak-report.ts'],
  },
});
