import { defineConfig } from '@playwright/test';
import { ZONE } from '../apps/server/src/testing/zone.ts';
import { chromiumLaunchOptions } from '../scripts/test-chromium.ts';
import { PANELS, panelUrl } from './support/panel.ts';
import { desktop, phone } from './support/sizes.ts';

const SCREENS = 'shell/routes.spec.ts';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  // First the screens, while a panel holds what `support/seed.ts` put there and nothing else:
  // what they show, and so what fits, does not depend on which tests ran before.
  // A test is about the desktop, unless it is tagged as one about the phone, or about both.
  projects: [
    { name: 'screens', testMatch: SCREENS },
    {
      name: 'desktop',
      testIgnore: SCREENS,
      grepInvert: /@phone/,
      use: { viewport: desktop },
    },
    { name: 'phone', testIgnore: SCREENS, grep: /@phone|@both/, use: { viewport: phone } },
  ],
  workers: PANELS,
  forbidOnly: true,
  // In a real browser on a busy machine, a test may fail because of a delay that a person would not notice. Tests that
  // pass at the second attempt are listed at the end of the run, so that they are examined.
  retries: 1,
  // Long timeouts, so that only a hanging test fails, however busy the machine is.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    baseURL: panelUrl,
    locale: 'en-GB',
    timezoneId: ZONE,
    launchOptions: await chromiumLaunchOptions(),
    trace: 'off',
    // The worker would reply for the panel, where `page.route` has no effect. Tests about the worker allow it.
    serviceWorkers: 'block',
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
  },
  webServer: Array.from({ length: PANELS }, (_, index) => ({
    command: `"${process.execPath}" support/serve.ts`,
    env: { TEST_PARALLEL_INDEX: String(index) },
    wait: { stdout: /^seeded$/m },
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stderr: 'pipe',
  })),
});
