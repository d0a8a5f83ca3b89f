import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { access, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const run = promisify(execFile);

/** Older versions lack features that the web app is built for. */
const OLDEST_MAJOR = 120;

const PACKAGE = '@sparticuz/chromium';
/** Written last: the size of each file, to detect incomplete copies. */
const CONTENTS_FILE = 'contents.json';
const ABANDONED_AFTER_MS = 10 * 60_000;

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

interface Chromium {
  executablePath: string;
  env: Record<string, string>;
  /** The variables by which any browser uses the package's fonts. */
  fonts: Record<string, string>;
}

/**
 * The Chromium of the npm package, unpacked once (200 MB) and reused by later calls. The package's
 * own function unpacks to fixed names in the shared temporary folder, where two runs collide and
 * where another user may have placed a different program.
 */
async function copyChromium(): Promise<Chromium> {
  const source = await findPackage();
  const cache = join(import.meta.dirname, '..', 'node_modules', '.cache');
  const reasons: string[] = [];
  for (const base of new Set([cache, tmpdir(), '/tmp', '/var/tmp'])) {
    try {
      if (base === cache) await mkdir(base, { recursive: true });
      const folder = (await findCopy(base, source.prefix)) ?? (await unpackInto(base, source));
      return await withWorkingLibraries(folder);
    } catch (error) {
      reasons.push(`${base}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
  throw new Error(`The Chromium of ${PACKAGE} cannot run here.\n${reasons.join('\n')}`);
}

interface Source {
  /** Path of the package's module that exports `inflate`. */
  module: string;
  /** The folder with the package's archives. */
  bin: string;
  /** Prefix of the names of all copies. */
  prefix: string;
}

async function findPackage(): Promise<Source> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `${PACKAGE} has no Chromium for ${process.platform} ${process.arch}. ` +
        'Name an installed Chromium or Chrome by CHROMIUM_PATH.',
    );
  }
  const require = createRequire(import.meta.url);
  const main = require.resolve('@sparticuz/chromium');
  const root = join(dirname(main), '..');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return {
    module: pathToFileURL(main).href,
    bin: join(root, 'bin'),
    prefix: `linekeeper-chromium-${version}-`,
  };
}

/** A complete copy that this user made and no other user can write to. */
async function findCopy(base: string, prefix: string): Promise<string | undefined> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(base, name);
    if (!(await isOurs(folder))) continue;
    if (await isComplete(folder)) return folder;
    await removeIfAbandoned(folder);
  }
  return undefined;
}

async function isOurs(folder: string): Promise<boolean> {
  const info = await lstat(folder);
  return info.isDirectory() && info.uid === process.getuid?.() && (info.mode & 0o022) === 0;
}

async function isComplete(folder: string): Promise<boolean> {
  try {
    const contents = await readFile(join(folder, CONTENTS_FILE), 'utf8');
    const expected: Record<string, number> = JSON.parse(contents);
    const actual = await sizes(folder);
    return Object.entries(expected).every(([path, size]) => actual[path] === size);
  } catch {
    return false;
  }
}

/** An interrupted run leaves an incomplete copy; a recent one may belong to a running process. */
async function removeIfAbandoned(folder: string): Promise<void> {
  const { ctimeMs } = await lstat(folder);
  if (Date.now() - ctimeMs < ABANDONED_AFTER_MS) return;
  await rm(folder, { recursive: true, force: true });
}

async function sizes(folder: string): Promise<Record<string, number>> {
  const result: Record<string, number> = {};
  for (const path of await readdir(folder, { recursive: true })) {
    const info = await lstat(join(folder, path));
    if (info.isFile()) result[path] = info.size;
  }
  return result;
}

async function unpackInto(base: string, { module, bin, prefix }: Source): Promise<string> {
  await access(base, constants.W_OK);
  const folder = await mkdtemp(join(base, prefix));
  try {
    // The package unpacks to the temporary folder, so this runs in a process with a temporary
    // folder of its own.
    const script = `
      const { inflate } = await import(${JSON.stringify(module)});
      for (const file of ['fonts.tar.br', 'al2023.tar.br', 'chromium.br']) {
        await inflate(${JSON.stringify(`${bin}/`)} + file);
      }`;
    await run(process.execPath, ['--input-type=module', '--eval', script], {
      env: { PATH: process.env.PATH ?? '', TMPDIR: folder },
    });
    await writeFile(join(folder, 'fonts.conf'), fontSettings(folder));
    await writeFile(join(folder, CONTENTS_FILE), JSON.stringify(await sizes(folder)));
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
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
  const env = {};
  try {
    await run(executablePath, ['--version']);
    return { executablePath, env, fonts };
  } catch {
    const withOwn = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
    await run(executablePath, ['--version'], { env: { ...fonts, ...withOwn } });
    return { executablePath, env: withOwn, fonts };
  }
}
