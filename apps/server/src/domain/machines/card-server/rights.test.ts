import type { Rights } from '@linekeeper/contract/servers/rights.ts';
import { expect, test } from 'vitest';
import { choicesOf, rightsToWrite } from './rights.ts';

const cccam = { uphops: 1, shareemus: false, allowemm: true };

test('rights are written, and those of before that are missing now are taken away', () => {
  const cases: [Rights | undefined, Rights | undefined, unknown][] = [
    [undefined, undefined, undefined],
    [{}, {}, undefined],
    [{ oscam: {} }, undefined, undefined],
    [{ oscam: { group: '1,2', uniq: 0 } }, undefined, { oscam: { group: '1,2', uniq: '0' } }],
    [{ oscam: { uniq: undefined } }, { oscam: { uniq: undefined } }, undefined],
    [undefined, { oscam: { group: '3' } }, { oscam: { group: null } }],
    [
      { oscam: { group: '1', caid: '0500' } },
      { oscam: { group: '3', services: 'news' } },
      { oscam: { group: '1', services: null, caid: '0500' } },
    ],
    [{ cccam: { ...cccam, limits: '{ 0:0:1 }' } }, undefined, { cccam: '1 0 1 { 0:0:1 }' }],
    [{ cccam }, { cccam: { ...cccam, uphops: 2 } }, { cccam: '1 0 1' }],
    [{ oscam: { group: '1' } }, { cccam }, { oscam: { group: '1' }, cccam: null }],
  ];
  for (const [rights, before, expected] of cases) {
    expect([rights, before, rightsToWrite(rights, before)]).toEqual([rights, before, expected]);
  }
});

test('choices are read as far as a plan can name them', () => {
  const groups = [{ group: 1, readers: 9 }, { group: 65, readers: 1 }, { group: '2' }, null];
  const services = ['news', 'sky de', '!x', 'a,b', 5, ''];
  expect(choicesOf({ groups, services })).toEqual({
    groups: [{ group: 1, readers: 9 }],
    services: ['news', 'sky de'],
  });
  for (const wrong of [{}, { groups: null, services: null }, { groups: [], services: 'x' }]) {
    expect(choicesOf(wrong)).toBe(null);
  }
});
