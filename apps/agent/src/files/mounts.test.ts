import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing.ts';
import { mountPoints } from './atomic-write.ts';

const canMount = spawnSync('/bin/sh', ['-c', 'unshare --mount true']).status === 0;

test('places of mounts are read as they are named', () => {
  const text =
    '24 1 0:22 / / rw - overlay overlay rw\n' +
    '36 24 8:1 /home/a\\040b/oscam.user /etc/oscam\\040x/\\303\\244.user rw - ext4 /dev/sda1 rw\n\n';
  expect(mountPoints(text)).toEqual(['/', '/etc/oscam x/ä.user']);
});

test.runIf(canMount).each(['the same device', 'another device'])(
  'a file of %s that is mounted by itself is refused at the start',
  (device) => {
    const [dir, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const [target, source] = [join(dir, 'oscam.user'), join(elsewhere, 'oscam.user')];
    writeFileSync(target, '');
    writeFileSync(source, '[account]\nuser = op\n');
    const other =
      device === 'another device' ? `mount -t tmpfs none ${elsewhere}; : > ${source};` : '';
    const main = fileURLToPath(new URL('../main.ts', import.meta.url));
    const script = `${other} mount --bind ${source} ${target} && exec ${process.execPath} ${main}`;
    const run = spawnSync('/bin/sh', ['-c', 'exec unshare --mount /bin/sh -c "$0"', script], {
      env: {
        ...process.env,
        AGENT_DIR: dir,
        AGENT_USERNAME: 'a',
        AGENT_PASSWORD: 'b',
        AGENT_PORT: '0',
      },
    });
    expect([run.status, run.stderr.toString()]).toEqual([
      1,
      `Agent could not start: oscam.user (${target}) is mounted by itself and cannot be replaced: mount the folder that holds it instead\n`,
    ]);
  },
);
