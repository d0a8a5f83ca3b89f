import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, eventually, spawnAgent, temporaryFolder } from '../testing.ts';

const isRoot = process.getuid?.() === 0;
const AGENT = 4321;
const CONTAINER = 5432;

function placesOf(dir: string) {
  const [own, oscam] = [join(dir, 'own'), join(dir, 'oscam')];
  const file = join(oscam, 'oscam.user');
  for (const folder of [own, oscam]) mkdirSync(folder);
  writeFileSync(file, '');
  symlinkSync(file, join(own, 'oscam.user'));
  return { own, oscam, file };
}

test.runIf(isRoot)(
  'an agent that may not write any more says so, and why',
  async () => {
    const dir = temporaryFolder();
    const { own, oscam, file } = placesOf(dir);
    chmodSync(dir, 0o755);
    for (const path of [own, oscam, file]) chownSync(path, AGENT, AGENT);
    const { url = '' } = await spawnAgent({ AGENT_DIR: own }, { uid: AGENT, gid: AGENT });
    const add = (username: string) =>
      call(url, 'POST', '/add-user', { username, password: 'pw', expiryDate: '31-12-2099' });
    const told = async () => (await call(url, 'GET', '/')).body.not_written;
    expect((await add('before')).status).toBe(201);
    expect(await told()).toBeNull();

    // A container makes its own user the owner of the folder.
    chownSync(oscam, CONTAINER, CONTAINER);
    chmodSync(oscam, 0o755);
    const denied = { reason: 'EACCES', path: oscam, owner: '5432:5432 755', user: '4321' };
    expect(await told()).toEqual(denied);
    const refused = await add('new');
    expect([refused.status, refused.body.code]).toEqual([500, 'FILE_WRITTEN_LATER']);
    expect(refused.body.data).toMatchObject(denied);

    chownSync(oscam, AGENT, AGENT);
    await eventually(() => expect(readFileSync(file, 'utf8')).toContain('user = new\n'));
    expect(await told()).toBeNull();
  },
  60_000,
);

const canMount = spawnSync('/bin/sh', ['-c', 'unshare --mount true']).status === 0;

test.runIf(canMount)('a read-only file system is named as that', () => {
  const dir = temporaryFolder();
  const { oscam, own } = placesOf(dir);
  const script = `
    mount --bind ${oscam} ${oscam} && mount -o remount,ro,bind ${oscam} && exec ${process.execPath} -e "
      import('${new URL('atomic-write.ts', import.meta.url)}').then(({ deniedAt }) =>
        console.log(JSON.stringify(deniedAt('${own}/oscam.user'))))"`;
  const { stdout, stderr } = spawnSync('/bin/sh', [
    ...['-c', 'exec unshare --mount /bin/sh -c "$0"', script],
  ]);
  expect(String(stdout), String(stderr)).toContain(`"reason":"EROFS","path":"${oscam}"`);
});
