// @module-tag thorough
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBackup } from '../../db/backup/read-backup.ts';
import { eventually } from '../../testing/eventually.ts';
import { makeBackupDue } from '../../testing/loops.ts';
import { databases, startTestPanel } from '../../testing/panel.ts';
import { runProgram } from '../../testing/process/command.ts';

/** Mounts a disk of 4 MB. Returns its folder, or null if mounting is not permitted. */
function mountTinyDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'tiny-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  onTestFinished(() => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Fills the disk up to one page. */
function fillUp(disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'filler'), Buffer.alloc((bavail - 1) * bsize));
}

describe.each(databases)('on %s, a full disk', (kind) => {
  test('fails the scheduled backup with its path, and leaves the earlier one alone', async ({
    skip,
  }) => {
    const disk = mountTinyDisk();
    skip(disk === null);
    const dir = join(disk ?? '', 'backups');
    const panel = await startTestPanel(kind, { BACKUP_SCHEDULE: 'hourly', BACKUP_DIR: dir });
    onTestFinished(() => panel.stop());
    const { db } = panel.services;
    const states = async () =>
      (await sql<{ state: string }>`select state from backup_runs order by due_at`.execute(db))
        .rows;
    await eventually(async () => expect(await states()).toEqual([{ state: 'made' }]));
    const before = await readdir(dir);
    fillUp(disk ?? '');
    await eventually(async () => expect(await makeBackupDue(db)).toBe(1n));
    await eventually(async () =>
      expect(await states()).toEqual([{ state: 'made' }, { state: 'failed' }]),
    );
    const { items } = (await panel.admin.get('/api/audit?action=backup.failed')).body;
    expect(items[0].data.reason).toMatch(/^The disk is full: .* could not be written$/);
    expect(items[0].data.reason).toContain(join(dir, 'linekeeper-'));
    expect(await readdir(dir)).toEqual(before);
    expect((await readBackup(join(dir, before[0] ?? ''))).foot.rows).toBeGreaterThan(10);
  });
});

test('fails npm run backup with the path, and leaves nothing', async ({ skip }) => {
  const disk = mountTinyDisk();
  skip(disk === null);
  const panel = await startTestPanel('postgres');
  onTestFinished(() => panel.stop());
  fillUp(disk ?? '');
  const file = join(disk ?? '', 'today.lkb.gz');
  expect(await runProgram('backup.ts', [file], panel.env)).toMatchObject({
    code: 1,
    stderr: `The disk is full: ${file} could not be written\n`,
    stdout: '',
  });
  expect(await readdir(disk ?? '')).toEqual(['filler']);
});
