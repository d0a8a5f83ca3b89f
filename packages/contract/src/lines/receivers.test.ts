import { expect, test } from 'vitest';
import {
  cccamLine,
  desKeyBytes,
  enteredLines,
  mustChange,
  namedLine,
  newcamdLines,
  oscamFile,
  oscamNewcamdReaders,
  oscamReader,
  receiversOf,
  splitHostPort,
} from './receivers.ts';

const login = { username: 'salon-mokotow', password: 'tulip-harbor-92-kite' };
const address = { host: 'waw2.lines.example', port: '12000' };
const ports = [
  { port: 12001, caid: '0500', provid: '030b00' },
  { port: 12002, caid: '0b00' },
];
const both = {
  server_name: 'Warsaw 2',
  protocol: 'CCcam',
  des_key: null,
  newcamd_ports: ports,
} as const;

test('a C line has host, port, name and password', () => {
  expect(cccamLine(address, login)).toBe(
    'C: waw2.lines.example 12000 salon-mokotow tulip-harbor-92-kite',
  );
});

test('NewCamd has a line for each port, with the 14 bytes of the key apart', () => {
  expect(newcamdLines(both, address.host, login)).toEqual([
    {
      port: 12001,
      caid: '0500',
      line: 'N: waw2.lines.example 12001 salon-mokotow tulip-harbor-92-kite 01 02 03 04 05 06 07 08 09 10 11 12 13 14',
    },
    {
      port: 12002,
      caid: '0B00',
      line: 'N: waw2.lines.example 12002 salon-mokotow tulip-harbor-92-kite 01 02 03 04 05 06 07 08 09 10 11 12 13 14',
    },
  ]);
  expect(desKeyBytes('a1b2c3d4e5f60718293a4b5c6d7e')).toBe(
    'a1 b2 c3 d4 e5 f6 07 18 29 3a 4b 5c 6d 7e',
  );
});

test('OSCam gets a reader for the C line', () => {
  expect(oscamReader(both, address, login)).toBe(
    `[reader]
label             = warsaw2
protocol          = cccam
device            = waw2.lines.example,12000
user              = salon-mokotow
password          = tulip-harbor-92-kite
group             = 1
inactivitytimeout = 30
cccversion        = 2.3.2
ccckeepalive      = 1`,
  );
});

test('and for NewCamd one for each port, whose labels differ', () => {
  expect(oscamNewcamdReaders(both, address.host, login)).toBe(
    `[reader]
label             = warsaw2-0500
protocol          = newcamd
key               = 0102030405060708091011121314
device            = waw2.lines.example,12001
user              = salon-mokotow
password          = tulip-harbor-92-kite
caid              = 0500
ident             = 0500:030B00
group             = 1
inactivitytimeout = -1

[reader]
label             = warsaw2-0b00
protocol          = newcamd
key               = 0102030405060708091011121314
device            = waw2.lines.example,12002
user              = salon-mokotow
password          = tulip-harbor-92-kite
caid              = 0B00
group             = 1
inactivitytimeout = -1`,
  );
  const twice = [
    { port: 1, caid: '0500', provid: '030b00' },
    { port: 2, caid: '0500', provid: '041700' },
  ];
  const labels = oscamNewcamdReaders({ ...both, newcamd_ports: twice }, address.host, login);
  expect(labels.match(/label .*/g)).toEqual([
    'label             = warsaw2-0500-1',
    'label             = warsaw2-0500-2',
  ]);
});

test('a label has letters that OSCam reads, whatever the server is called', () => {
  const labelOf = (server_name: string) =>
    /label += (.*)/.exec(oscamReader({ server_name }, address, login))?.[1];
  expect(labelOf('Zürich [1] #2')).toBe('zurich12');
  expect(labelOf('Сервер')).toBe('waw2.lines.example');
  expect(labelOf('x'.repeat(200))).toHaveLength(40);
});

test('an IPv6 address keeps its brackets in a C line and has none in a reader', () => {
  const ipv6 = splitHostPort('[2001:db8::1]:12000');
  expect(cccamLine(ipv6, login)).toContain('C: [2001:db8::1] 12000 ');
  expect(oscamReader(both, ipv6, login)).toContain('= 2001:db8::1,12000\n');
});

test('only what the server speaks is given: its ports decide about NewCamd', () => {
  const given = (server: Parameters<typeof receiversOf>[0]) => {
    const { cccam, newcamd, oscam } = receiversOf(server, address, login);
    return [cccam !== null, newcamd.length, oscam.cccam !== null, oscam.newcamd !== null];
  };
  expect(given(both)).toEqual([true, 2, true, true]);
  expect(given({ ...both, newcamd_ports: [] })).toEqual([true, 0, true, false]);
  expect(given({ ...both, protocol: 'NewCamd' })).toEqual([false, 2, false, true]);
  expect(given({ ...both, protocol: 'NewCamd', newcamd_ports: [] })).toEqual([
    false,
    0,
    false,
    false,
  ]);
});

test('a file for OSCam has all readers, those for CCcam first', () => {
  const text = oscamFile(receiversOf(both, address, login).oscam);
  expect(text.match(/^protocol .*$/gm)).toEqual([
    'protocol          = cccam',
    'protocol          = newcamd',
    'protocol          = newcamd',
  ]);
  expect(text.match(/\n\n/g)).toHaveLength(2);
  expect(oscamFile({ cccam: null, newcamd: null })).toBe('');
});

const KEY = '01 02 03 04 05 06 07 08 09 10 11 12 13 14';
const OTHER_KEY = 'aa'.repeat(14);
const usual = { des_key: null, newcamd_ports: [] };
const cccam = { ...usual, protocol: 'CCcam' } as const;
const twoPorts = [
  { port: 15001, caid: '0500', provid: '030b00' },
  { port: 15002, caid: '0b00' },
];
const newcamd = { ...usual, protocol: 'NewCamd', newcamd_ports: twoPorts } as const;
const speaksBoth = { ...cccam, newcamd_ports: twoPorts } as const;
const bare = { ...usual, protocol: 'NewCamd' } as const;
const fra = 'fra1.lines.example:12000';
const waw = 'waw1.lines.example:12000';
const otherPort = 'fra1.lines.example:13000';
const mine = 'mine.example:1';

test('what is entered has words for name and password, and N lines say what their port is for', () => {
  expect(enteredLines(cccam, [fra])).toEqual(['C: fra1.lines.example 12000 username password']);
  expect(enteredLines(speaksBoth, [fra, mine, fra])).toEqual([
    'C: fra1.lines.example 12000 username password',
    `N: fra1.lines.example 15001 username password ${KEY} # CAID 0500:030B00`,
    `N: fra1.lines.example 15002 username password ${KEY} # CAID 0B00`,
    'C: mine.example 1 username password',
    `N: mine.example 15001 username password ${KEY} # CAID 0500:030B00`,
    `N: mine.example 15002 username password ${KEY} # CAID 0B00`,
  ]);
  expect(enteredLines(bare, [fra])).toEqual(['fra1.lines.example 12000']);
  const [cLine = '', nLine = ''] = enteredLines(speaksBoth, [fra]);
  expect(namedLine(cLine, 'anna')).toBe('C: fra1.lines.example 12000 anna password');
  expect(namedLine(nLine, 'anna')).toBe(
    `N: fra1.lines.example 15001 anna password ${KEY} # CAID 0500:030B00`,
  );
  expect(namedLine('fra1.lines.example 12000', 'anna')).toBe('fra1.lines.example 12000');
});

type Side = [Parameters<typeof enteredLines>[0], ...string[]];
const withPorts = (...newcamd_ports: { port: number; caid: string; provid?: string }[]) => ({
  ...newcamd,
  newcamd_ports,
});
const [first, second] = twoPorts as [(typeof twoPorts)[0], (typeof twoPorts)[0]];

test.each<[string, Side, Side, boolean]>([
  ['CCcam, the same address', [cccam, fra], [cccam, fra], false],
  ['CCcam, another host', [cccam, fra], [cccam, waw], true],
  ['CCcam, another port', [cccam, fra], [cccam, otherPort], true],
  ['CCcam, an address of its own', [cccam, mine], [cccam, mine], false],
  ['CCcam, one of two addresses', [cccam, fra, mine], [cccam, waw, mine], true],
  ['CCcam, another order of addresses', [cccam, fra, mine], [cccam, mine, fra], false],
  ['CCcam to NewCamd', [cccam, fra], [newcamd, fra], true],
  ['CCcam to NewCamd at an address of its own', [cccam, mine], [newcamd, mine], true],
  ['CCcam to NewCamd without ports', [cccam, fra], [bare, fra], true],
  ['CCcam gets ports beside the C line', [cccam, fra], [speaksBoth, fra], false],
  ['both lose a port', [speaksBoth, fra], [{ ...speaksBoth, newcamd_ports: [first] }, fra], true],
  ['both get another key', [speaksBoth, fra], [{ ...speaksBoth, des_key: OTHER_KEY }, fra], true],
  ['both to NewCamd alone', [speaksBoth, fra], [newcamd, fra], true],
  ['NewCamd gets a C line, its N lines stay', [newcamd, fra], [speaksBoth, fra], false],
  ['NewCamd to CCcam', [newcamd, fra], [cccam, fra], true],
  ['NewCamd, the same', [newcamd, fra], [newcamd, fra], false],
  ['NewCamd, another host', [newcamd, fra], [newcamd, waw], true],
  [
    'NewCamd, another port of the C line that is not there',
    [newcamd, fra],
    [newcamd, otherPort],
    false,
  ],
  ['NewCamd, another key', [newcamd, fra], [{ ...newcamd, des_key: OTHER_KEY }, fra], true],
  [
    'NewCamd, the usual key written out',
    [newcamd, fra],
    [{ ...newcamd, des_key: KEY.replaceAll(' ', '') }, fra],
    false,
  ],
  [
    'NewCamd, another key at an address of its own',
    [newcamd, mine],
    [{ ...newcamd, des_key: OTHER_KEY }, mine],
    true,
  ],
  [
    'NewCamd, another port',
    [newcamd, fra],
    [withPorts({ ...first, port: 16001 }, second), fra],
    true,
  ],
  ['NewCamd, one port less', [newcamd, fra], [withPorts(first), fra], true],
  ['NewCamd, one port more', [withPorts(first), fra], [newcamd, fra], true],
  ['NewCamd, ports in another order', [newcamd, fra], [withPorts(second, first), fra], false],
  [
    'NewCamd, another CAID at a port',
    [newcamd, fra],
    [withPorts({ ...first, caid: '1802' }, second), fra],
    true,
  ],
  [
    'NewCamd, CAIDs change their ports',
    [newcamd, fra],
    [withPorts({ ...first, port: 15002 }, { ...second, port: 15001 }), fra],
    true,
  ],
  [
    'NewCamd, another provider',
    [newcamd, fra],
    [withPorts({ ...first, provid: '041700' }, second), fra],
    true,
  ],
  [
    'NewCamd, CAIDs in other letters',
    [newcamd, fra],
    [withPorts({ ...first, provid: '030B00' }, { ...second, caid: '0B00' }), fra],
    false,
  ],
  ['NewCamd loses its ports', [newcamd, fra], [bare, fra], true],
  ['NewCamd without ports, the same', [bare, fra], [bare, fra], false],
  ['NewCamd without ports, another address', [bare, fra], [bare, waw], true],
])('%s', (_, [left, ...before], [target, ...after], isChanged) => {
  expect(mustChange(enteredLines(left, before), enteredLines(target, after))).toBe(isChanged);
});
