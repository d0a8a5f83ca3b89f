import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

describe('a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'linekeeper-folders-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test('is made with those above it, for its owner alone, and is left as it is the next time', () => {
    const folder = join(root, 'a', 'b', 'c');
    makeFolder(folder);
    makeFolder(folder);
    for (const path of [folder, join(root, 'a')]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test('is not made where a file has its name, or that of one above it', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow('EEXIST');
    expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
  });

  test.runIf(process.platform === 'linux')('is refused at once where none can be made', () => {
    expect(() => makeFolder('/proc/no-folder')).toThrow('ENOENT');
    expect(() => makeFolder('/proc/no-folder/below/below')).toThrow('ENOENT');
  });
});
