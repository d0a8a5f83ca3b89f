import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from '../scripts/test-chromium.ts';

const FIRST_PORT = 20_000;
const PORTS = 20_000;

// The workers load this file too and must find the port the first load chose.
process.env.E2E_PORT ??= String(FIRST_PORT + Math.floor(Math.random() * PORTS));
const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`;

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 40_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    baseURL,
    locale: 'en-GB',
    timezoneId: 'UTC',
    launchOptions: await chromiumLaunchOptions(),
    trace: 'off',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
  },
  webServer: {
    command: `"${process.execPath}" support/serve.ts`,
    wait: { stdout: /^furnished$/m },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stderr: 'pipe',
  },
});
