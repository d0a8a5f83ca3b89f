import { describe, expect, test } from 'vitest';
import { dayFinding, NO_REPORT, OVERDUE_SECONDS, reloadOf, reportOf } from './agent-report.ts';

const NOW = new Date('2026-11-21T11:47:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString();
const replyOf = (json: Record<string, unknown> | null) =>
  ({ kind: 'reply', status: 200, json, sent_at: NOW }) as const;
const reloadIn = (reload: unknown, overdue = OVERDUE_SECONDS) =>
  reloadOf({ json: { reload }, sent_at: NOW }, ['s3cret-word'], overdue).reload;

const told = {
  by: 'webif',
  ok: false,
  at: ago(60),
  ok_at: ago(540),
  code: 'WEBIF_SIGN_IN',
  data: { status: 401 },
  message: 'as the agent says it',
  waiting: 4,
  since: ago(120),
  names: ['annegret.m', 'hotel-krone', 'cafe-linde'],
  cannot_connect: 3,
  still_connect: 1,
  still_names: ['suspended'],
  server: 'OSCam 2.26.01',
  started_at: '2026-11-18T03:12:00.000Z',
};

describe('what an agent tells of rereading', () => {
  test('is read whole', () => {
    expect(reloadIn(told)).toEqual({
      by: 'webif',
      ok: false,
      at: ago(60),
      ok_at: ago(540),
      waiting: 4,
      since: ago(120),
      cannot_connect: 3,
      names: ['annegret.m', 'hotel-krone', 'cafe-linde'],
      still_connect: 1,
      still_names: ['suspended'],
      card_server: 'OSCam 2.26.01',
      started_at: '2026-11-18T03:12:00.000Z',
      finding: { code: 'NOT_TAKEN', data: { cause: 'WEBIF_SIGN_IN', status: 401 } },
    });
  });

  test.each([undefined, null, 'yes', 7, [], [{}]])('%j is nothing', (reload) => {
    expect(reloadIn(reload)).toBeNull();
  });

  test('is bounded: what has the wrong type or length counts as not said', () => {
    const nonsense = {
      by: 'magic',
      ok: 'no',
      at: 'yesterday',
      ok_at: `2026-11-21T11:47:00Z${'0'.repeat(200)}`,
      code: 7,
      data: 'x',
      waiting: -1,
      since: {},
      names: 'annegret.m',
      cannot_connect: 1.5,
      still_connect: -1,
      still_names: {},
      server: ['OSCam'],
      started_at: '+275760-09-13T00:00:00.000Z',
    };
    expect(reloadIn(nonsense)).toEqual({
      by: null,
      ok: null,
      at: null,
      ok_at: null,
      waiting: 0,
      since: null,
      cannot_connect: 0,
      names: [],
      still_connect: 0,
      still_names: [],
      card_server: null,
      started_at: null,
      finding: null,
    });
  });

  test('is plain text without secrets, and twenty short names at most', () => {
    const names = Array.from({ length: 40 }, (_, index) => `line-${index}-${'x'.repeat(200)}`);
    const reload = reloadIn({
      ...told,
      names: [7, '\u202eevil\u0000\n', 's3cret-word', ...names],
      server: `OSCam s3cret-word\n${'9'.repeat(500)}`,
      code: 'A_CODE_OF_LATER',
      message: `Ask for s3cret-word${'!'.repeat(500)}`,
    });
    expect(reload?.names.slice(0, 2)).toEqual(['evil', '***']);
    expect(reload?.names).toHaveLength(19);
    expect(Math.max(...(reload?.names ?? []).map((name) => name.length))).toBe(64);
    expect(reload?.card_server).toMatch(/^OSCam \*\*\* 9+$/);
    expect(reload?.card_server).toHaveLength(100);
    expect(reload?.finding?.data.words).toMatch(/^Ask for \*\*\*!+$/);
    expect(reload?.finding?.data.words).toHaveLength(200);
  });

  test.each([
    ['COMMAND_FAILED', { exit_code: 3, signal: null }, { cause: 'COMMAND_FAILED', exit_code: 3 }],
    [
      'COMMAND_FAILED',
      { exit_code: null, signal: 'SIGSEGV' },
      { cause: 'COMMAND_KILLED', signal: 'SIGSEGV' },
    ],
    ['COMMAND_TIMEOUT', { seconds: 30 }, { cause: 'COMMAND_TIMEOUT', seconds: 30 }],
    [
      'WEBIF_UNREACHABLE',
      { reason: 'connection refused' },
      { cause: 'WEBIF_UNREACHABLE', reason: 'connection refused' },
    ],
    [
      'WEBIF_UNREACHABLE',
      { reason: 'ECONNREFUSED' },
      { cause: 'WEBIF_UNREACHABLE', reason: 'connection refused' },
    ],
    [
      'WEBIF_UNREACHABLE',
      { reason: 'EUNHEARDOF' },
      { cause: 'WEBIF_UNREACHABLE', reason: 'EUNHEARDOF' },
    ],
    [
      'WEBIF_CERTIFICATE',
      { fingerprint: 'AB:CD' },
      { cause: 'WEBIF_CERTIFICATE', fingerprint: 'AB:CD' },
    ],
    ['WEBIF_NAMES_UNKNOWN', { count: 2 }, { cause: 'WEBIF_NAMES_UNKNOWN', missing: 2 }],
    ['WEBIF_FORBIDDEN', { status: '403', count: [] }, { cause: 'WEBIF_FORBIDDEN' }],
  ])('%s with %j', (code, data, expected) => {
    const reload = reloadIn({ ...told, code, data });
    expect(reload?.finding).toEqual({ code: 'NOT_TAKEN', data: expected });
  });

  test.each([
    ['for 9 s', 9, null],
    ['for 10 s', 10, 'WEBIF_SIGN_IN'],
    ['since a moment ahead of a clock that was set back', -3600, 'WEBIF_SIGN_IN'],
    ['since a moment that is ahead by less than the wait', -5, null],
  ])('what waits %s', (_, seconds, cause) => {
    const reload = reloadIn({ ...told, since: ago(seconds) });
    expect(reload?.finding?.data.cause ?? null).toBe(cause);
  });

  test('without a reason it has simply not been read yet', () => {
    const waits = { ...told, code: null };
    expect(reloadIn(waits)?.finding?.data).toEqual({ cause: 'NOT_READ_YET' });
    expect(reloadIn({ ...waits, since: undefined })?.finding?.data.cause).toBe('NOT_READ_YET');
    expect(reloadIn({ ...waits, waiting: 0 })?.finding).toBeNull();
    // A caller gets the finding immediately.
    expect(reloadIn({ ...waits, since: ago(0) }, 0)?.finding?.data.cause).toBe('NOT_READ_YET');
  });

  test('that nobody tells the card server is said before anything waits', () => {
    const nobody = { by: null, ok: null, code: 'NOT_CONFIGURED', data: {}, waiting: 0 };
    expect(reloadIn(nobody)?.finding?.data.cause).toBe('NOT_CONFIGURED');
    const waits = { ...nobody, waiting: 1, since: ago(0) };
    expect(reloadIn(waits)?.finding?.data.cause).toBe('NOT_CONFIGURED');
  });
});

describe('the day of an agent', () => {
  const at = (zone: unknown, day: unknown) => reportOf(replyOf({ zone, day }), []);

  test('is read where it is one', () => {
    expect(at('Europe/Berlin', '2026-11-21')).toEqual({
      ...NO_REPORT,
      zone: 'Europe/Berlin',
      server_day: '2026-11-21',
    });
    expect(at('<b>', '2026-02-30')).toEqual(NO_REPORT);
    expect(at('x'.repeat(65), 20261121)).toEqual(NO_REPORT);
    expect(reportOf(replyOf(null), [])).toEqual(NO_REPORT);
  });

  const midnight = (seconds: number) => new Date(Date.UTC(2026, 10, 21) + seconds * 1000);
  test.each([
    ['of the panel', 'UTC', '2026-11-21', NOW, null],
    ['of a zone with the same clock', 'Etc/UTC', '2026-11-21', NOW, null],
    ['of a foreign server', null, null, NOW, null],
    ['alone', null, '2026-11-21', NOW, null],
    ['of a zone that nobody knows', 'Mars/Base', '2026-11-21', NOW, null],
    ['that began while it was asked', 'UTC', '2026-11-20', midnight(2), null],
    ['that begins while it is asked', 'UTC', '2026-11-21', midnight(-2), null],
    ['of another zone, before it differs', 'Europe/Berlin', '2026-11-21', NOW, null],
    ['of another zone, once it differs', 'Europe/Berlin', '2026-11-22', NOW, '2026-11-22'],
    ['of a wrong clock', 'UTC', '2026-11-20', NOW, '2026-11-20'],
    ['of a wrong clock, alone', null, '2025-01-01', NOW, '2025-01-01'],
  ])('%s', (_, zone, day, now, differs) => {
    const finding = dayFinding(at(zone, day), 'UTC', now);
    expect(finding?.data.day ?? null).toBe(differs);
  });

  test('is told with both zones', () => {
    expect(dayFinding(at('Europe/Berlin', '2026-11-22'), 'UTC', NOW)).toEqual({
      code: 'ANOTHER_DAY',
      data: {
        zone: 'Europe/Berlin',
        day: '2026-11-22',
        panel_zone: 'UTC',
        panel_day: '2026-11-21',
      },
    });
  });

  test('that waits to be confirmed is told, even if the panel has the same', () => {
    const held = reportOf(replyOf({ day: '2026-11-21', held_day: '2026-11-10' }), []);
    expect(dayFinding(held, 'UTC', NOW)).toMatchObject({
      code: 'DAY_HELD',
      data: { day: '2026-11-21', held_day: '2026-11-10' },
    });
  });
});
