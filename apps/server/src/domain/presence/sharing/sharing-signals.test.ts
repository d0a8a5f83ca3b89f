import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SharingNote } from '../../../db/schema/server-schema.ts';
import { recent, type SharingState, watchSharing } from './sharing-signals.ts';

const traces = new URL('./traces/', import.meta.url);
const START = Date.parse('2026-11-27T18:00:00Z');
const NOTHING: SharingState = { over_limit: null, sharing: null };

/** Each network is replaced by a number, because the panel stores nothing else about a network. */
const hash = (network: string) =>
  Array.from(network).reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);

type Seen = { minute: number; networks: string[] };

/** Reads a file with lines of "minute network network …", one for each reading. A missing minute had no reading. */
function readTrace(name: string): Seen[] {
  const text = readFileSync(new URL(name, traces), 'utf8');
  const rows = text.split('\n').filter((row) => row && !row.startsWith('#'));
  return rows.map((row) => {
    const [minute = '', ...networks] = row.split(/\s+/).filter(Boolean);
    return { minute: Number(minute), networks };
  });
}

function play(trace: Seen[], allowed = 1, start: SharingState = NOTHING, suspend_hours = 0) {
  let state: SharingState = start;
  const noted: { minute: number; note: SharingNote }[] = [];
  for (const { minute, networks } of trace) {
    const at = new Date(START + minute * 60_000);
    const { noted: note, ...kept } = watchSharing(state, {
      at,
      connections: networks.length,
      networks: networks.map((one) => ({ hash: hash(one), is_v6: one.includes(':') })),
      allowed,
      suspend_hours,
    });
    // The state makes the way through JSON, as in the database.
    state = JSON.parse(JSON.stringify(kept));
    if (note) noted.push({ minute, note });
  }
  return { state, noted };
}

const innocent = readdirSync(traces).filter((name) => !name.startsWith('two-homes'));

test.each(innocent)('%s gives nothing', (name) => {
  const trace = readTrace(name);
  expect(trace.length).toBeGreaterThan(15);
  expect(play(trace).noted).toEqual([]);
});

test.each(['two-homes.txt', 'two-homes-one-zaps.txt'])(
  '%s gives one note within 20 minutes',
  (name) => {
    const { noted } = play(readTrace(name));
    expect(noted).toHaveLength(1);
    expect(noted[0]?.minute).toBeLessThanOrEqual(20);
    expect(noted[0]?.note).toMatchObject({ connections: 2, networks: 2, allowed: 1 });
  },
);

test('two homes of a line that may have two give nothing', () => {
  expect(play(readTrace('two-homes.txt'), 2).noted).toEqual([]);
});

const homes = ['198.51.100.0/24', '203.0.113.0/24'];
const days = (count: number) =>
  Array.from({ length: count * 24 * 60 }, (_, minute) => ({ minute, networks: homes }));

test('two homes for days are noted at most once a day, and a week is kept', () => {
  const { noted, state } = play(days(10));
  expect(noted).toHaveLength(10);
  const gaps = noted.slice(1).map(({ minute }, index) => minute - (noted[index]?.minute ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(24 * 60);
  expect(state.sharing?.notes).toHaveLength(7);
});

test('two homes that go on are noted again when a suspension for the note before is over', () => {
  const { noted } = play(days(1), 1, NOTHING, 2);
  const minutes = noted.map(({ minute }) => minute);
  expect(minutes.slice(0, 3)).toEqual([7, 7 + 120, 7 + 240]);
});

test('a line that was only noted is noted again for the suspension that was switched on since', () => {
  const { state } = play(days(1).slice(0, 10));
  const { noted } = play(days(1).slice(10, 120), 1, state, 1);
  expect(noted.map(({ minute }) => minute)).toEqual([7 + 60]);
});

test('no address is kept', () => {
  const { state } = play(days(1).slice(0, 6));
  expect(state.over_limit?.networks).toEqual(homes.map(hash));
  expect(JSON.stringify(state)).not.toContain('198.51');
});

test('a clock that is set back neither notes at once nor silences for ever', () => {
  const trace = days(1).slice(0, 6);
  const back = trace.map(({ minute, networks }) => ({ minute: minute - 600, networks }));
  expect(play([...trace, ...back]).noted).toEqual([]);
  const ahead: SharingNote = {
    at: new Date(START + 40 * 86_400_000).toISOString(),
    connections: 2,
    networks: 2,
    allowed: 1,
  };
  const { noted } = play(days(1).slice(0, 15), 1, {
    over_limit: null,
    sharing: { notes: [ahead] },
  });
  expect(noted).toHaveLength(1);
  expect(recent([ahead], new Date(START))).toEqual([]);
});
