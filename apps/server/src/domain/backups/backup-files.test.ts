import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backupName, partOf, putInNewPlace, removeOldBackups } from './backup-files.ts';

const MARK = '3fa9c1d2';
const nameOf = (day: number) => backupName(new Date(Date.UTC(2026, 10, day)), MARK);

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-backup-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('of two that get one name in the same moment, one keeps it whole', async () => {
  const folder = await newFolder();
  const file = join(folder, 'one.lkb.gz');
  const parts = ['a', 'b'].map((name) => partOf(join(folder, name)));
  await Promise.all(parts.map((part) => writeFile(part, part)));
  const put = await Promise.allSettled(parts.map((part) => putInNewPlace(part, file)));
  const won = put.findIndex(({ status }) => status === 'fulfilled');
  expect(put[1 - won]).toMatchObject({
    status: 'rejected',
    reason: { message: `${file} already exists and was not changed` },
  });
  expect(await readFile(file, 'utf8')).toBe(parts[won]);
  expect((await readdir(folder)).sort()).toEqual(
    [parts[1 - won], file].map((path) => basename(path ?? '')).sort(),
  );
});

test('a folder that is named like a backup is left alone, and counts as none', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, nameOf(2)));
  for (const day of [1, 3, 4]) await writeFile(join(folder, nameOf(day)), '');
  const { removed } = await removeOldBackups(folder, MARK, 2, nameOf(4));
  expect(removed).toEqual([nameOf(1)]);
  expect((await readdir(folder)).sort()).toEqual([2, 3, 4].map(nameOf));
});

test('backups of moments to come stay, take no places, and are named', async () => {
  const folder = await newFolder();
  for (const day of [1, 2, 3, 8, 9]) await writeFile(join(folder, nameOf(day)), '');
  const ahead = [8, 9].map(nameOf);
  expect(await removeOldBackups(folder, MARK, 2, nameOf(3))).toEqual({
    removed: [nameOf(1)],
    ahead,
  });
  expect((await readdir(folder)).sort()).toEqual([nameOf(2), nameOf(3), ...ahead]);
});
