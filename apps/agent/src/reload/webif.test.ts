import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tryLogin } from '@linekeeper/oscam/cccam-login.ts';
import type { OscamFaults } from '@linekeeper/oscam/testing/oscam.ts';
import { expect, onTestFinished, test } from 'vitest';
import {
  TEST_CERTIFICATE,
  TEST_KEY,
} from '../../../server/src/domain/machines/card-server/testing/certificate.ts';
import { startAgentBeside, startTestOscam } from '../testing/oscam/beside.ts';
import { eventually, temporaryFolder } from '../testing.ts';

const LONG_PAUSE = { retriesMs: [600_000] };
const TLS = { key: TEST_KEY, cert: TEST_CERTIFICATE };
const FINGERPRINT = new X509Certificate(TEST_CERTIFICATE).fingerprint256;

test('a receiver gets in with what was sold, and no more after a new password or a deletion', async () => {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam);
  const attempt = async (username: string, password: string) => {
    const line = { host: '127.0.0.1', port: oscam.ports.cccam, username, password };
    return (await tryLogin(line)).outcome;
  };
  expect(await attempt('anna', 'one')).toBe('refused');
  const added = await agent.add('anna', 'one');
  expect([added.status, added.body]).toEqual([
    201,
    { message: 'User added successfully', applied: true },
  ]);
  expect(await attempt('anna', 'one')).toBe('accepted');

  const edited = await agent.edit({ username: 'anna', newPassword: 'two' });
  expect(edited.body).toEqual({ message: 'User updated successfully', applied: true });
  expect([await attempt('anna', 'one'), await attempt('anna', 'two')]).toEqual([
    'refused',
    'accepted',
  ]);
  const removed = await agent.remove('anna');
  expect(removed.body).toEqual({ message: 'User deleted successfully', applied: true });
  expect(await attempt('anna', 'two')).toBe('refused');
});

test('GET / tells what came of it, and the zone and day of the agent', async () => {
  const now = () => new Date('2026-11-26T23:30:00Z');
  const oscam = await startTestOscam({ version: '2.26.01-11960' });
  const agent = await startAgentBeside(oscam, { now, timeZone: 'Europe/Berlin' });
  await agent.add('anna');
  const { body } = await agent.call('GET', '/');
  expect([body.zone, body.day]).toEqual(['Europe/Berlin', '2026-11-27']);
  expect(body.reload).toEqual({
    by: 'webif',
    ok: true,
    at: '2026-11-26T23:30:00.000Z',
    ok_at: '2026-11-26T23:30:00.000Z',
    code: null,
    data: {},
    message: null,
    server: 'OSCam 2.26.01',
    started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/),
    waiting: 0,
    since: null,
    names: [],
    cannot_connect: 0,
    still_connect: 0,
    still_names: [],
  });
});

const faults: [string, Partial<OscamFaults>, Record<string, unknown>, RegExp][] = [
  ['WEBIF_FORBIDDEN', { forbids: true }, { status: 403 }, /httpallowed/],
  ['WEBIF_READ_ONLY', { readOnly: true }, {}, /httpreadonly/],
  ['WEBIF_UNREACHABLE', { isSilent: true }, { reason: 'ETIMEDOUT' }, /ETIMEDOUT/],
  ['WEBIF_NOT_OSCAM', { answersWith: { body: '<html>router</html>' } }, {}, /OSCAM_WEBIF_URL/],
  ['WEBIF_NOT_OSCAM', { answersWith: { status: 404, body: 'no' } }, {}, /OSCAM_WEBIF_URL/],
  ['WEBIF_NAMES_UNKNOWN', { readsInstead: '/dev/null' }, { count: 2 }, /oscam\.user/],
];
for (const [code, fault, data, message] of faults) {
  test(`${code} ${JSON.stringify(fault)}: told in the reply and by GET /, and tried again`, async () => {
    const oscam = await startTestOscam();
    const agent = await startAgentBeside(oscam, { reloadMs: 300 });
    await agent.add('bob', 'geheim');
    await eventually(async () => expect(await agent.reload()).toMatchObject({ waiting: 0 }));
    Object.assign(oscam.faults, fault);
    const added = await agent.add('anna', 'geheim');
    expect([added.status, added.body.applied]).toEqual([201, false]);
    const state = await eventually(async () => {
      const now = await agent.reload();
      expect(now).toMatchObject({ ok: false, code, data });
      return now;
    });
    expect(state.message).toMatch(message);
    expect(state).toMatchObject({ waiting: 1, names: ['anna'], cannot_connect: 1 });
    expect(added.body.message).toMatch(
      /^User added successfully\. The card server has not loaded it yet: /,
    );

    const usual = { forbids: false, readOnly: false, isSilent: false };
    Object.assign(oscam.faults, usual, { answersWith: undefined, readsInstead: undefined });
    await eventually(async () => {
      expect(await agent.reload()).toMatchObject({ ok: true, code: null, waiting: 0, names: [] });
    });
    expect(oscam.accepts('anna', 'geheim')).toBe(true);
  });
}

test('an OSCam that does not run is unreachable, and what it missed is read when it runs', async () => {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam);
  await eventually(async () => expect(await agent.reload()).toMatchObject({ ok: true }));
  await oscam.kill();
  const added = await agent.add('anna');
  expect(added.body).toEqual({
    message:
      "User added successfully. The card server has not loaded it yet: OSCam's web interface cannot be reached (ECONNREFUSED). Check that OSCam runs, and OSCAM_WEBIF_URL.",
    applied: false,
  });
  await oscam.start();
  await eventually(async () =>
    expect(await agent.reload()).toMatchObject({ ok: true, waiting: 0 }),
  );
});

test('WEBIF_SIGN_IN: a wrong password is told, and nobody is asked without a sign-in twice', async () => {
  const oscam = await startTestOscam();
  const settings = { ...oscam.settings, OSCAM_WEBIF_PASSWORD: 'wrong' };
  const agent = await startAgentBeside({ ...oscam, settings }, LONG_PAUSE);
  await eventually(async () => {
    expect(await agent.reload()).toMatchObject({
      code: 'WEBIF_SIGN_IN',
      data: { status: 401 },
      message: expect.stringContaining('OSCAM_WEBIF_PASSWORD'),
    });
  });
  expect(oscam.signIns).toEqual({ admitted: 0, refused: 2 });
});

test('an OSCam without a name and password needs no sign-in', async () => {
  const oscam = await startTestOscam({ user: '', password: '' });
  const { OSCAM_WEBIF_URL } = oscam.settings;
  const agent = await startAgentBeside({ ...oscam, settings: { OSCAM_WEBIF_URL } });
  expect((await agent.add('anna')).body.applied).toBe(true);
});

test('a nonce serves many calls, and one that has ended is replaced', async () => {
  let clock = Date.now();
  const oscam = await startTestOscam({ now: () => new Date(clock) });
  const agent = await startAgentBeside(oscam);
  await eventually(async () => expect(await agent.reload()).toMatchObject({ ok: true }));
  for (const name of ['anna', 'bob', 'eva']) await agent.add(name);
  expect(oscam.signIns.refused).toBe(1);
  clock += 60_000;
  expect((await agent.add('tom')).body.applied).toBe(true);
  // A restarted OSCam knows no earlier nonce, and has another `opaque` in its sign-in.
  await oscam.restart();
  expect((await agent.add('uwe')).body.applied).toBe(true);
  expect((await agent.reload()).ok).toBe(true);
});

test('WEBIF_CERTIFICATE: nothing is sent to another certificate than the one expected', async () => {
  const oscam = await startTestOscam({ tls: TLS });
  const other = 'AB'.repeat(32);
  for (const OSCAM_WEBIF_FINGERPRINT of ['', other]) {
    const settings = { ...oscam.settings, OSCAM_WEBIF_FINGERPRINT };
    const agent = await startAgentBeside({ settings, dir: temporaryFolder() }, LONG_PAUSE);
    await eventually(async () => {
      expect(await agent.reload()).toMatchObject({
        code: 'WEBIF_CERTIFICATE',
        data: { fingerprint: FINGERPRINT },
        message: expect.stringContaining('OSCAM_WEBIF_FINGERPRINT'),
      });
    });
  }
  expect([oscam.requests, oscam.signIns]).toEqual([[], { admitted: 0, refused: 0 }]);

  const printed = `sha256 Fingerprint=${FINGERPRINT}`;
  const settings = { ...oscam.settings, OSCAM_WEBIF_FINGERPRINT: printed };
  const agent = await startAgentBeside({ ...oscam, settings });
  expect((await agent.add('anna')).body.applied).toBe(true);
});

test('https at a port without TLS is unreachable, and what is no HTTP is not OSCam', async () => {
  const oscam = await startTestOscam();
  const states = [
    [`https://127.0.0.1:${oscam.ports.cccam}`, { code: 'WEBIF_UNREACHABLE' }],
    [`http://127.0.0.1:${oscam.ports.cccam}`, { code: 'WEBIF_NOT_OSCAM' }],
  ] as const;
  for (const [OSCAM_WEBIF_URL, state] of states) {
    const settings = { OSCAM_WEBIF_URL };
    const agent = await startAgentBeside({ settings, dir: temporaryFolder() }, LONG_PAUSE);
    await eventually(async () => expect(await agent.reload()).toMatchObject(state));
    expect((await agent.reload()).message).not.toMatch(/openssl|SSL routines/);
  }
});

test('a redirect is not followed, and an answer without an end is given up', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const settings = { OSCAM_WEBIF_URL: `http://127.0.0.1:${port}` };
  const agent = await startAgentBeside({ settings, dir: temporaryFolder() }, LONG_PAUSE);
  await eventually(async () => {
    expect(await agent.reload()).toMatchObject({ code: 'WEBIF_NOT_OSCAM' });
  });
  expect(asked).toEqual(['/userconfig.html?action=reinit']);

  server.removeAllListeners('request');
  const piece = 'x'.repeat(1024 * 1024);
  let sent = 0;
  server.on('request', (request, response) => {
    response.writeHead(200);
    if (request.url?.startsWith('/userconfig')) {
      response.end();
      return;
    }
    const more = () => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once('drain', more);
      }
    };
    more();
  });
  await agent.call('POST', '/reload', {});
  await eventually(() => expect(sent).toBeGreaterThan(32 * piece.length));
  await eventually(async () => {
    expect(await agent.reload()).toMatchObject({ code: 'WEBIF_NOT_OSCAM' });
  });
});

test('an old copy of the file is noticed by the password that it lacks', async () => {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam);
  await agent.add('anna', 'one');
  const copy = join(temporaryFolder(), 'oscam.user');
  writeFileSync(copy, agent.read('oscam.user'));
  oscam.faults.readsInstead = copy;
  await agent.edit({ username: 'anna', newPassword: 'two' });
  expect(await agent.reload()).toMatchObject({
    code: 'WEBIF_NAMES_UNKNOWN',
    data: { count: 1 },
    names: ['anna'],
  });
});

test('names of any script and with marks of XML are found again', async () => {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam);
  for (const name of ['Łódź', 'a&b<c>"d', "o'neil,x", '用户', '%41', 'a+b']) {
    expect([name, (await agent.add(name, `p${name}`)).body.applied]).toEqual([name, true]);
  }
  await agent.call('POST', '/reload', {});
  expect(await agent.reload()).toMatchObject({ ok: true });
});
