// @module-tag thorough
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findChromium } from './test-chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'linekeeper-browsers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const packageFile = '../node_modules/@sparticuz/chromium/package.json';
const { version } = JSON.parse(readFileSync(new URL(packageFile, import.meta.url), 'utf8'));

/** The package has a browser for Linux on x64 only. */
const isPinned = process.platform === 'linux' && process.arch === 'x64';

describe('the browser of the tests', () => {
  test('is the pinned one with its own fonts, whatever is installed', async () => {
    if (!isPinned) return;
    const { executablePath, env } = await findChromium(undefined);
    expect(executablePath).toContain(`linekeeper-chromium-${version}-`);
    const said = execFileSync(executablePath, ['--version'], { env, encoding: 'utf8' });
    expect(said).toContain(` ${version.split('.')[0]}.`);
    const settings = env.FONTCONFIG_FILE ?? '';
    expect(dirname(settings)).toBe(dirname(executablePath));
    expect(readFileSync(settings, 'utf8').match(/<dir>.*<\/dir>/g)).toEqual([
      `<dir>${dirname(settings)}/fonts/fonts</dir>`,
    ]);
  });

  test('is another one if CHROMIUM_PATH names it, with the same fonts', async () => {
    if (!isPinned) return;
    const pinned = await findChromium(undefined);
    const named = program('newer', 'echo Chromium 199.0.1');
    const { executablePath, env } = await findChromium(named);
    expect(executablePath).toBe(named);
    expect(env.FONTCONFIG_FILE).toBe(pinned.env.FONTCONFIG_FILE);
  });

  test('is never one that does not run or is too old', async () => {
    const old = program('old', 'echo Chromium 90.0.1');
    await expect(findChromium(old)).rejects.toThrow(/old: is not Chromium 120 or newer/);
    await expect(findChromium(join(folder, 'none'))).rejects.toThrow(
      /^CHROMIUM_PATH=.*none: ENOENT/,
    );
  });
});
