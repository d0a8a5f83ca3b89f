import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OscamRights } from '@linekeeper/contract/servers/rights.ts';
import { readAccounts } from '@linekeeper/oscam/testing/accounts.ts';
import { type OscamOptions, startOscam } from '@linekeeper/oscam/testing/oscam.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addressPolicy } from '../../../../platform/http-client/address.ts';
import type { PutOptions, WantedAccount } from '../driver.ts';
import { webifDriver } from './webif-driver.ts';

const SERVICES = '[news]\n[Sky De]\n[film]\n';
const LINE = '11111111-2222-4333-8444-555555555555';
const OWN_ROW = '[account]\nuser = op\npwd = op-pw\ngroup = 7\nservices = film\n';

/** Settings of an account: two values of each, and what a row without it has. */
const SETTINGS: [keyof OscamRights, string | number, string | number, string][] = [
  ['group', '1,2', '3', '1'],
  ['services', 'news,!sky de', 'film', ''],
  ['caid', '500,600&FF00,100:D00', '0D00', ''],
  ['ident', '500:30B00,41950;100:80', '0D00:000004', ''],
  ['uniq', 3, 0, '0'],
  ['max_connections', 2, 1, '1'],
  ['cccmaxhops', 0, 10, '10'],
  ['cccreshare', 0, -1, '-1'],
];

/** Starts an OSCam with an account of the operator's, and a line, `bob`, that is delivered without rights. */
async function startWithLine(options: Partial<OscamOptions> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'oscam-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'oscam.user');
  writeFileSync(file, OWN_ROW);
  const oscam = await startOscam({ file, services: SERVICES, ...options });
  onTestFinished(() => oscam.kill());
  const permits = addressPolicy({ allow: [], loopbackAllowed: true });
  const address = {
    host_ip: '127.0.0.1',
    api_port: oscam.ports.webif,
    api_scheme: 'http',
  } as const;
  const trust = { tls_fingerprint: null, plain_http_allowed: true };
  const driver = webifDriver(
    { permits, deadlineMs: 9000 },
    { ...address, ...trust, username: '', password: '' },
  );
  const put = (
    oscamRights?: OscamRights,
    before?: OscamRights,
    more: Partial<WantedAccount> = {},
    options: Partial<PutOptions> = {},
  ) => {
    const line = { username: 'bob', password: 'pw', expiry_date: '2099-12-31', line: LINE };
    return driver.put(
      { ...line, is_suspended: false, rights: { oscam: oscamRights }, ...more },
      { onServer: true, rightsBefore: { oscam: before }, ...options },
    );
  };
  expect(await put({}, undefined, {}, { onServer: false })).toEqual({ ok: true });
  const text = () => readFileSync(file, 'latin1');
  const account = (name = 'bob') => readAccounts(text()).find(({ user }) => user === name);
  return { oscam, driver, put, text, account };
}

describe.each(SETTINGS)('%s', (key, one, other, usual) => {
  test('set, changed, changed back and no longer said', async () => {
    const { oscam, put, text, account } = await startWithLine();
    await oscam.edit('bob', { keepalive: '1' });
    const before = text();
    const [first, second] = [{ [key]: one }, { [key]: other }];
    expect(await put(first)).toEqual({ ok: true });
    expect(account()).toMatchObject({ keepalive: '1' });
    const written = text();
    expect(written).not.toBe(before);
    expect(await put(second, first)).toEqual({ ok: true });
    expect(text()).not.toBe(written);
    await oscam.edit('op', { group: '7' });
    expect(await put(first, second)).toEqual({ ok: true });
    expect(text()).toBe(written);
    expect(await put({}, first)).toEqual({ ok: true });
    expect(account()?.[key]).toBe(usual);
    expect(text()).toBe(before);
    // The operator decides about settings that no plan has.
    await oscam.edit('bob', { [key]: String(one) });
    expect(await put({}, {})).toEqual({ ok: true });
    expect(text()).toBe(written);
  });

  test('of a line that is suspended, resumed, renamed and adopted', async () => {
    const { driver, put, account } = await startWithLine();
    const [first, second] = [{ [key]: one }, { [key]: other }];
    const plain = account();
    await put(first, undefined, { is_suspended: true });
    const kept = account()?.[key];
    expect(account()).toMatchObject({ disabled: '1' });
    await put(first, first);
    expect(account()).toMatchObject({ disabled: '0', [key]: kept });
    const renamed = { username: 'bobby', formerly: 'bob' };
    await put({}, first, renamed, { onServer: false });
    expect(account('bobby')).toEqual({ ...plain, user: 'bobby' });
    await driver.remove('bob', { onServer: true, lines: [LINE] });
    await put(first, undefined, { username: 'bobby' });
    expect(account('bobby')?.[key]).toBe(kept);
    await driver.remove('bobby', { onServer: true, lines: [LINE] });
    await put(undefined, undefined, { username: 'bobby' }, { onServer: false });
    expect(account('bobby')?.[key]).toBe(usual);

    const adopted = { username: 'op', password: 'op-pw' };
    expect(await put(second, undefined, adopted, { isAdopted: true })).toEqual({ ok: true });
    expect(account('op')).toMatchObject({ group: '7', services: 'film', [key]: String(other) });
  });
});

test('a group that is no longer said becomes that of accounts without the plan', async () => {
  const { put, account } = await startWithLine();
  for (const username of ['eva', 'tom']) {
    await put({ group: '5' }, {}, { username }, { onServer: false });
  }
  await put({ group: '1,2' });
  await put({ group: '1,2' }, {}, { username: 'kim' }, { onServer: false });
  await put({}, { group: '1,2' });
  expect(account()?.group).toBe('5');
});

test('services that OSCam lacks are named, and the others are there', async () => {
  const { put, account } = await startWithLine();
  const outcome = await put({ services: 'news,nowhere,!film,!else', uniq: 1 });
  const data = { fields: ['services = nowhere,!else'] };
  expect(outcome).toMatchObject({ ok: false, finding: { code: 'RIGHTS_NOT_KEPT', data } });
  expect(account()).toMatchObject({ services: 'news,!film', uniq: '1' });
  expect(await put({ uniq: 1 }, { services: 'news', uniq: 1 })).toEqual({ ok: true });
  expect(account()?.services).toBe('');
});

test('groups and services are read for forms; null if OSCam does not tell', async () => {
  const readers = '[reader]\ngroup = 2,1\n\n[reader]\ngroup = 2\nenable = 0\n';
  const { oscam, driver } = await startWithLine({ readers });
  expect(await driver.rightsChoices()).toEqual({
    groups: [
      { group: 1, readers: 1 },
      { group: 2, readers: 1 },
    ],
    services: ['news', 'sky de', 'film'],
  });
  oscam.faults.forbids = true;
  expect(await driver.rightsChoices()).toBe(null);
});
