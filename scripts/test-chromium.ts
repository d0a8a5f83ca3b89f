import { execFile } from 'node:child_process';
import {
  access,
  constants,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const run = promisify(execFile);

/** The oldest major version that has all features for which the web app is built. */
const OLDEST_MAJOR = 120;

const PACKAGE = '@sparticuz/chromium';

const ARGUMENTS = [
  // Chromium refuses to run as root without this option, and it only opens pages of the panel.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The machine-dependent part of Playwright's launch options. */
interface ChromiumLaunchOptions {
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
 * that every machine tests with one version. An installed Chromium is ignored, because its version, results and
 * measures differ. On machines for which npm has none, Playwright's own is used. Throws with the reason if none runs.
 */
export async function findChromium(named: string | undefined): Promise<ChromiumLaunchOptions> {
  if (named) {
    const problem = await findProblem(named);
    if (problem) throw new Error(`CHROMIUM_PATH=${named}: ${problem}`);
    // Without the package, texts have the widths of the machine's own fonts.
    const copy = await copyChromium().catch(() => null);
    return launchOptions(named, copy?.fonts);
  }
  try {
    const copy = await copyChromium();
    return launchOptions(copy.executablePath, { ...copy.fonts, ...copy.libraries });
  } catch (error) {
    const own = chromium.executablePath();
    if (!(await findProblem(own))) return launchOptions(own);
    throw error;
  }
}

/**
 * Runs the program and returns its problem, because its existence proves little: Ubuntu's
 * `chromium-browser` only prints an advertisement.
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
  const env = { ...(process.env as Record<string, string>), ...extra };
  return { executablePath, args: ARGUMENTS, env };
}

interface Chromium {
  executablePath: string;
  /** Variables with which Chromium finds the package's libraries. */
  libraries: Record<string, string>;
  /** Variables by which any browser uses the package's fonts. */
  fonts: Record<string, string>;
}

/**
 * The Chromium of the npm package, unpacked once (200 MB) and reused by later calls. The package's
 * own function unpacks to fixed names in the shared temporary folder, where two runs collide and
 * where another user may have placed a different program.
 */
async function copyChromium(): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `${PACKAGE} has no Chromium for ${process.platform} ${process.arch}. ` +
        'Name an installed Chromium or Chrome by CHROMIUM_PATH.',
    );
  }
  const cache = join(import.meta.dirname, '..', 'node_modules', '.cache');
  const reasons: string[] = [];
  for (const base of new Set([cache, tmpdir(), '/tmp', '/var/tmp'])) {
    try {
      if (base === cache) await mkdir(base, { recursive: true });
      return await withWorkingLibraries(await unpackedIn(base));
    } catch (error) {
      reasons.push(`${base}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
  throw new Error(`The Chromium of ${PACKAGE} cannot run here.\n${reasons.join('\n')}`);
}

/** The folder of the copy, which is renamed when it is complete. */
async function unpackedIn(base: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const module = require.resolve('@sparticuz/chromium');
  const archives = join(dirname(module), '../bin/');
  const manifest = join(dirname(module), '../package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  const folder = join(base, `linekeeper-chromium-${version}-of-${process.getuid?.()}`);
  if (await isOurs(folder)) return folder;
  const part = await mkdtemp(`${folder}-`);
  try {
    // The package unpacks to the temporary folder, so this runs in a process with a separate temporary folder.
    const script = `
      const { inflate } = await import(${JSON.stringify(pathToFileURL(module).href)});
      for (const file of ['fonts.tar.br', 'al2023.tar.br', 'chromium.br']) {
        await inflate(${JSON.stringify(archives)} + file);
      }`;
    await run(process.execPath, ['--input-type=module', '--eval', script], {
      env: { PATH: process.env.PATH ?? '', TMPDIR: part },
    });
    await writeFile(join(part, 'fonts.conf'), fontSettings(folder));
    // Another run may have finished first.
    await rename(part, folder).catch(() => {});
    if (await isOurs(folder)) return folder;
    throw new Error(`${folder} belongs to another user.`);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** True for a folder of this user that no other user can write to. */
async function isOurs(folder: string): Promise<boolean> {
  const info = await lstat(folder).catch(() => null);
  return info?.isDirectory() === true && info.uid === process.getuid?.() && !(info.mode & 0o022);
}

/** Uses only the package's font, so that text has the same width on every machine. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`;
}

/** The package includes libraries that a minimal machine lacks; the machine's own take precedence. */
async function withWorkingLibraries(folder: string): Promise<Chromium> {
  const executablePath = join(folder, 'chromium');
  const fonts = { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  const runsWith = (env: Record<string, string>) => run(executablePath, ['--version'], { env });
  const machine = process.env as Record<string, string>;
  if (await runsWith(machine).catch(() => null)) return { executablePath, libraries: {}, fonts };
  const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  await runsWith({ ...fonts, ...libraries });
  return { executablePath, libraries, fonts };
}
