import { expect, test } from 'vitest';
import {
  cccamRights,
  checkOptionsText,
  checkOscamRight,
  optionsOf,
  oscamRights,
} from './rights.ts';

const read = (rights: object) => oscamRights.safeParse(rights).data;

test('settings of an account are written as OSCam reads them', () => {
  expect(
    read({ group: '10, 2,64,2', services: ' HD , !Sky De ', caid: '500, 6ab&ffff,100:d00' }),
  ).toEqual({
    group: '2,10,64',
    services: 'hd,!sky de',
    caid: '500,6AB,100:D00',
  });
  expect(read({ ident: '500:30b00, 41950;0100:000080', uniq: 3, cccreshare: -1 })).toEqual({
    ident: '500:30B00,41950;0100:000080',
    uniq: 3,
    cccreshare: -1,
  });
});

test('what OSCam would drop is refused', () => {
  const wrong = [
    ...['', '0', '65', '1,', '1;2', '001'].map((group) => ({ group })),
    ...['', 'a,', '!', 'a[b]', 'a\nb', 'x'.repeat(64)].map((services) => ({ services })),
    ...['', '0', '0000', '10000', '0500&0000', '0500:', 'xyz'].map((caid) => ({ caid })),
    ...['', '0500', '0:1', '0500:', '0500:1234567', `0500:${Array(33).fill(1)}`].map((ident) => ({
      ident,
    })),
    ...[-1, 5, 1.5].map((uniq) => ({ uniq })),
    { max_connections: 0 },
    { cccmaxhops: -1 },
    { cccreshare: -2 },
  ];
  for (const rights of wrong) expect([rights, read(rights)]).toEqual([rights, undefined]);
});

test('texts of settings and options are checked by the same rules', () => {
  expect(checkOscamRight('group', '2,1')).toBe('1,2');
  expect(checkOscamRight('cccreshare', '-1')).toBe('-1');
  for (const text of ['', '-2', 'x', '1 ', '11']) {
    expect([text, checkOscamRight('cccreshare', text)]).toEqual([text, undefined]);
  }
  expect(checkOptionsText(' 1 0  1 {0:0:1}')).toBe('1 0 1 { 0:0:1 }');
  expect(checkOptionsText('1 0 1')).toBe('1 0 1');
  for (const text of [
    '',
    '1',
    '1 0',
    '256 0 1',
    '1 2 1',
    '1 0 1 { 0 }',
    '1 0 1 # x',
    '1 0 1\nF: a b',
  ]) {
    expect([text, checkOptionsText(text)]).toEqual([text, undefined]);
  }
  const limits = '{ 0:0:3, 0100:000080:1 } { 0100:000080:15df } { 12:00-17:00 }';
  const options = cccamRights.parse({ uphops: 5, shareemus: true, allowemm: false, limits });
  expect(checkOptionsText(optionsOf(options))).toBe(`5 1 0 ${limits}`);
});
