import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { call, temporaryFolder } from '../testing.ts';
import { mountPoints } from './atomic-write.ts';

const canMount = spawnSync('/bin/sh', ['-c', 'unshare --mount true']).status === 0;

test('places of mounts are read as they are named', () => {
  const text =
    '24 1 0:22 / / rw - overlay overlay rw\n' +
    '36 24 8:1 /home/a\\040b/oscam.user /etc/oscam\\040x/\\303\\244.user rw - ext4 /dev/sda1 rw\n\n';
  expect(mountPoints(text)).toEqual(['/', '/etc/oscam x/ä.user']);
});

const OVERLAY = `
  mount -t tmpfs none $DIR && mkdir $DIR/lower $DIR/top $DIR/m && mount -t tmpfs none $DIR/top
  mkdir $DIR/top/upper $DIR/top/work $DIR/lower/etc
  printf '[account]\\nuser = op\\npwd = mine\\n' >$DIR/lower/etc/oscam.user
  mount -t overlay o -o lowerdir=$DIR/lower,upperdir=$DIR/top/upper,workdir=$DIR/top/work $DIR/m`;

test.runIf(canMount)('an overlay of two file systems is written as any other folder', async () => {
  const dir = temporaryFolder();
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const script = `set -e; ${OVERLAY}; exec ${process.execPath} ${main}`;
  const agent = spawn('/bin/sh', ['-c', 'exec unshare --mount /bin/sh -c "$0"', script], {
    env: {
      ...process.env,
      ...{ DIR: dir, AGENT_DIR: `${dir}/m/etc`, AGENT_PORT: '0' },
      ...{ AGENT_USERNAME: 'a', AGENT_PASSWORD: 'b' },
    },
  });
  const ended = once(agent, 'close');
  onTestFinished(async () => {
    agent.kill();
    await ended;
  });
  let said = '';
  agent.stderr.on('data', (text) => (said += text));
  const url = await new Promise<string | undefined>((resolve) => {
    agent.stdout.on('data', (text) => {
      said += text;
      const found = /^Agent listening on (\S+)$/m.exec(said)?.[1];
      if (found) resolve(found);
    });
    void ended.then(() => resolve(undefined));
  });
  expect(url, said).toBeDefined();
  const within = `/proc/${agent.pid}/root${dir}/m/etc`;
  const answers = [];
  for (const username of ['new', 'newer']) {
    const authorization = `Basic ${btoa('a:b')}`;
    const body = { username, password: 'pw', expiryDate: '31-12-2099' };
    answers.push((await call(String(url), 'POST', '/add-user', body, authorization)).status);
  }
  expect(answers).toEqual([201, 201]);
  expect(readFileSync(`${within}/oscam.user`, 'utf8')).toMatch(
    /^\[account\]\nuser = op\npwd = mine\n.*user = new\npwd = pw\n.*user = newer\n/s,
  );
});

test.runIf(canMount).each(['the same device', 'another device'])(
  'a file of %s that is mounted on its own is refused at the start',
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
      `Agent could not start: oscam.user (${target}) is mounted on its own and cannot be replaced: mount the folder that holds it instead\n`,
    ]);
  },
);
