import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** More files than a reader can keep apart. */
const MOST_FILES = 30;
const root = join(import.meta.dirname, '..');
const skipped = /^(node_modules|dist|\.)/;

function foldersBelow(folder: string): { folder: string; files: number }[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).length;
  const below = entries.filter((entry) => entry.isDirectory() && !skipped.test(entry.name));
  return [{ folder, files }, ...below.flatMap(({ name }) => foldersBelow(join(folder, name)))];
}

test('no folder holds more than 30 files, except the migrations', () => {
  const full = ['apps', 'packages', 'e2e', 'bench', 'scripts']
    .flatMap((folder) => foldersBelow(join(root, folder)))
    .filter(({ folder, files }) => files > MOST_FILES && !folder.endsWith('migrations'))
    .map(({ folder, files }) => `${folder}: ${files}`);
  expect(full).toEqual([]);
});
