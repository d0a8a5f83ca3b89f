import type { Outage } from '@linekeeper/contract/servers/outages.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { expect, test } from 'vitest';
import { troubleOf, troubleOfOutage, troublesOf } from './trouble.ts';

const quiet = {
  ...{ status: 'active', status_finding: null, last_connection: '2026-11-29T20:00:00Z' },
  ...{ accounts_missing: 0, kept_by_hand: 0, reload: null, day_finding: null, awaited_id: null },
} as unknown as Server;

const finding = (code: string, data = {}) => ({ code, data });
const reload = (fields: object) => ({ ok: true, ok_at: null, since: null, waiting: 0, ...fields });
const causesOf = (fields: object) =>
  troublesOf({ ...quiet, ...fields } as Server).map(({ cause }) => cause);

test('nothing is wrong with a server that answers and takes its changes', () => {
  expect(troubleOf(quiet)).toBeUndefined();
});

test('the most urgent trouble comes first', () => {
  expect(
    causesOf({
      status: 'error',
      status_finding: finding('NOT_REACHED', { reason: 'connection refused' }),
      accounts_missing: 3,
      kept_by_hand: 2,
      reload: reload({ finding: finding('NOT_TAKEN', { cause: 'COMMAND_FAILED' }), waiting: 4 }),
      day_finding: finding('ANOTHER_DAY'),
    }),
  ).toEqual(['noAnswer', 'lost', 'keptByHand', 'notLoaded', 'anotherDay']);
});

test('a server that only the panel cannot change is not said to be silent', () => {
  const status_finding = finding('OSCAM_FORBIDDEN');
  expect(causesOf({ status: 'error', status_finding })).toEqual(['noAccess']);
});

test('a server whose agent is awaited is in trouble like others', () => {
  const status_finding = finding('NOT_REACHED', { reason: 'connection refused' });
  for (const awaited_id of [null, 'one']) {
    expect(causesOf({ status: 'inactive', awaited_id })).toEqual(['untested']);
    expect(causesOf({ status: 'error', status_finding, awaited_id })).toEqual(['noAnswer']);
  }
});

test('what nobody tells the card server is an alarm only once something waits', () => {
  const nobody = finding('NOT_TAKEN', { cause: 'NOT_CONFIGURED' });
  expect(causesOf({ reload: reload({ ok: null, finding: nobody }) })).toEqual(['nobodyTells']);
  expect(causesOf({ reload: reload({ ok: null, finding: nobody, waiting: 1 }) })).toEqual([
    'notLoaded',
  ]);
});

test('it is known since when changes are not taken', () => {
  const not = finding('NOT_TAKEN', { cause: 'COMMAND_FAILED' });
  const since = '2026-11-29T19:00:00Z';
  const server = { ...quiet, reload: reload({ finding: not, waiting: 2, since }) } as Server;
  expect(troubleOf(server)).toMatchObject({ cause: 'notLoaded', count: 2, since, tone: 'warning' });
});

test('a day that waits to be confirmed has its own way out', () => {
  const held = { ...quiet, day_finding: finding('DAY_HELD', { day: '2026-12-01' }) } as Server;
  expect(troubleOf(held)).toMatchObject({ cause: 'dayHeld', way: 'confirmDay' });
});

test('those who only know that a server is away see the same trouble as its administrators', () => {
  for (const [port_answers, no_access, customers] of [
    [false, false, 'portToo'],
    [null, false, 'portUnknown'],
    [true, true, 'goOn'],
  ] as const) {
    const outage = { no_access, port_answers, since: '2026-11-29T19:00:00Z', lines: 3 } as Outage;
    const status_finding = finding('NOT_REACHED', {
      reason: 'connection refused',
      ...(port_answers !== null && { port_answers }),
    });
    const { cause } = troubleOf({ ...quiet, status: 'error', status_finding } as Server) ?? {};
    expect(troubleOfOutage(outage)).toMatchObject({ cause, customers, count: 3 });
  }
});
