import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { version as own } from '../../platform/config/version.ts';
import { runScheduled } from '../../testing/loops.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

const PATH = '/api/system/version';
const COMPLAINT = 'UPDATE_FEED has no release that can be read';
const release = { version: '99.10.0', date: '2027-01-31', changelog: '### Added\n\n- A thing.' };

let answer: (reply: ServerResponse) => void;
const asked: (string | undefined)[] = [];
const feed = createServer((request, reply) => {
  asked.push(request.url);
  answer(reply);
});
const portOf = () => (feed.address() as AddressInfo).port;

let panel: TestPanel;
beforeAll(async () => {
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  panel = await startTestPanel('postgres', {
    UPDATE_FEED: `http://127.0.0.1:${portOf()}/releases`,
  });
});
afterAll(async () => {
  feed.closeAllConnections();
  feed.close();
});
beforeEach(async () => {
  asked.length = 0;
  await sql`delete from notifications`.execute(panel.services.db);
  await sql`delete from settings where key = 'newest_release'`.execute(panel.services.db);
});

const says = (body: unknown, status = 200) => {
  answer = (reply) => {
    reply.writeHead(status, { 'content-type': 'application/json' });
    reply.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};
/** Makes the panel look for a new version, as it does once a day. Returns the reasons of the warnings. */
const look = async () => {
  const warn = vi.spyOn(panel.services.log, 'warn');
  const { db } = panel.services;
  await sql`update schedules set done_at = null where name = 'new version'`.execute(db);
  await runScheduled(panel.services, 'new version', { day: '2027-02-01', hour: 5 });
  const logged = warn.mock.calls.filter(([, message]) => message === COMPLAINT);
  warn.mockRestore();
  return logged.map(([said]) => (said as { reason: string }).reason);
};
const notices = async () => {
  const { body } = await panel.admin.get('/api/notifications');
  return body.items.map(({ title, link }: { title: string; link: string }) => ({ title, link }));
};
const newer = async () => (await panel.admin.get(PATH)).body.newer;

test('a newer version is said once to each administrator, with its changelog', async () => {
  says(release);
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([]);
  expect(asked).toEqual(['/releases/release.json', '/releases/release.json']);
  const first = { title: 'Version 99.10.0 is available', link: '/settings#version' };
  expect(await notices()).toEqual([first]);
  expect((await panel.admin.get(PATH)).body).toEqual({ version: own, newer: release });
  says({ ...release, version: '99.11.0' });
  await look();
  expect(await notices()).toEqual([
    { title: 'Version 99.11.0 is available', link: '/settings#version' },
    first,
  ]);
});

test('nobody but administrators is told, or can ask', async () => {
  const { client } = await panel.reseller();
  says(release);
  await look();
  expect((await client.get('/api/notifications')).body.items).toEqual([]);
  for (const one of [client, panel.anonymous()]) {
    expect([401, 403]).toContain((await one.get(PATH)).status);
  }
});

test('this version is no news, and neither is one that was withdrawn', async () => {
  says({ ...release, version: own });
  expect(await look()).toEqual([]);
  expect([await notices(), await newer()]).toEqual([[], null]);
  says(release);
  await look();
  expect(await newer()).toEqual(release);
  says({ ...release, version: own });
  await look();
  expect(await newer()).toBeNull();
});

test('the numbers of versions are compared as numbers', async () => {
  const [major = '', minor = ''] = own.split('.');
  says({ ...release, version: `${major}.${Number(minor) + 1}.0` });
  await look();
  expect((await newer()).version).toBe(`${major}.${Number(minor) + 1}.0`);
  says({ ...release, version: `${Number(major) - 1}.1000.0` });
  expect(await look()).toEqual([`${Number(major) - 1}.1000.0 is older than this panel`]);
  expect(await newer()).toBeNull();
});

test.each<[string, () => void, string]>([
  ['nothing', () => says('', 404), 'release.json: status 404'],
  ['a page', () => says('<html><script>alert(1)</script>'), 'release.json: no version, date'],
  ['a list', () => says([release]), 'release.json: no version, date'],
  ['half of it', () => says('{"version":"99.10'), 'release.json: no version, date'],
  ['no changelog', () => says({ ...release, changelog: null }), 'release.json: no version, date'],
  ['no version', () => says({ ...release, version: '99.1<b>' }), 'release.json: no version, date'],
  ['NUL', () => says({ ...release, changelog: 'a\0b' }), 'release.json: no version, date'],
  [
    'half a sign',
    () => says({ ...release, changelog: '\ud800' }),
    'release.json: no version, date',
  ],
  ['too much', () => says({ ...release, changelog: 'x'.repeat(70_000) }), 'response too large'],
  [
    'too much without an end',
    () => {
      answer = (reply) => {
        reply.writeHead(200);
        const write = () => {
          while (!reply.destroyed && reply.write('x'.repeat(16_384)));
        };
        reply.on('drain', write);
        write();
      };
    },
    'response too large',
  ],
  [
    'another address',
    () => {
      answer = (reply) => {
        reply.writeHead(302, { location: `http://127.0.0.1:${portOf()}/inside` });
        reply.end();
      };
    },
    'release.json: status 302',
  ],
  [
    'a broken connection',
    () => {
      answer = (reply) => reply.destroy();
    },
    'connection closed early',
  ],
])('a feed that gives %s is logged, and what was known stays', async (_, lie, reason) => {
  says(release);
  await look();
  lie();
  expect(await look()).toEqual([expect.stringContaining(reason)]);
  expect(asked).not.toContain('/inside');
  expect(await newer()).toEqual(release);
  expect(await notices()).toHaveLength(1);
});

test('a feed that never replies is given up', async () => {
  const { outbound } = panel.services;
  answer = () => {};
  outbound.deadlineMs = 100;
  expect(await look()).toEqual(['connection timed out']);
  delete outbound.deadlineMs;
});

test('without UPDATE_FEED nobody is asked', async () => {
  const { services } = panel;
  const config = { ...services.config, update_feed: null };
  await expect(runScheduled({ ...services, config }, 'new version')).rejects.toThrow('no job');
});
