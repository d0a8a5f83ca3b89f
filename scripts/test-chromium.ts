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

/** The browser of all tests, pictures and measurements of this process. */
export function chromiumLaunchOptions(): Promise<ChromiumLaunchOptions> {
  found ??= findChromium(process.env.CHROMIUM_PATH);
  return found;
}

/**
 * Finds a real Chromium: the named one, or else the one that package-lock.json pins, unpacked at the first call, so
 * that every machine tests with one version. An installed Chromium is ignored: its version, answers and measures
 * differ. On machines for which npm has none, Playwright's own is used. Throws with the reason if none runs.
 */
export async function findChromium(named: string | undefined): Promise<ChromiumLaunchOptions> {
  if (named) {
    const problem = await findProblem(named);
    if (problem) throw new Error(`CHROMIUM_PATH=${named}: ${problem}`);
    return launchOptions(named, await pinnedFonts());
  }
  try {
    const copy = await copyChromium();
    return launchOptions(copy.executablePath, { ...copy.fonts, ...copy.env });
  } catch (error) {
    const own = chromium.executablePath();
    if (!(await findProblem(own))) return launchOptions(own);
    throw error;
  }
}

/** The pinned fonts; none if the package cannot be used, so that texts are measured in the machine's own fonts. */
async function pinnedFonts(): Promise<Record<string, string>> {
  if (process.platform !== 'linux') return {};
  return copyChromium().then(
    ({ fonts }) => fonts,
    () => ({}),
  );
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
