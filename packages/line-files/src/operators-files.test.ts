import { linePassword, lineUsername } from '@linekeeper/contract/fields/line-credentials.ts';
import { expect, test } from 'vitest';
import { withChoices } from './choices.ts';
import { lineOfRow } from './csv-line.ts';
import type { FoundLine } from './found-line.ts';
import { mappingOf, readLinesFile } from './read-file.ts';

/** Returns a function that gives the same random numbers in every run (mulberry32). */
function numbers(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One account as the operator's program stores it, in bytes. */
interface Source {
  username: Buffer;
  password: Buffer;
  isOff: boolean;
}

interface Shape {
  /** The line with the headings; empty for a shape without headings. */
  head: string;
  row: (account: Source, pick: Pick) => Buffer;
  /** True if the shape can mark an account as switched off. */
  canBeOff: boolean;
}

type Pick = <Item>(items: readonly Item[]) => Item;

const join = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

const quoted = (text: Buffer) =>
  join('"', Buffer.from(text.toString('latin1').replaceAll('"', '""'), 'latin1'), '"');
/** Most exporters put no other cells into quotes, and some not even cells that contain the separator. */
const plain = (text: Buffer) => (text.includes('"') ? quoted(text) : text);

const shapes: Record<string, Shape> = {
  cccam: {
    head: '# friends\n',
    canBeOff: true,
    row: ({ username, password, isOff }, pick) =>
      join(
        isOff ? pick(['#', '# ', '## ', ';', '//', ' # ']) : pick(['', ' ', '\t']),
        pick(['F: ', 'F:', 'f : ', 'F:\t']),
        username,
        pick([' ', '\t', '  ']),
        password,
        pick(['', ' 1 0 0', ' 1 0 1 { 0:0:1 }', ' 5 0 1 { } { } { } 192.0.2.1', ' 1']),
        pick(['', ' # 31-12-2027', ' #bis 31.12.2027', ' ;2027-12-31', ' # Tel 0170-0000001']),
        pick(['\n', '\r\n', '  \n']),
      ),
  },
  oscam: {
    head: '# oscam.user\n\n',
    canBeOff: true,
    row: ({ username, password, isOff }, pick) => {
      const off = pick(['1', '1  # off', '01', '2', '1;', '+1', '-1', '1 = yes']);
      const on = pick(['0', '0  # on', '00', '']);
      return join(
        pick(['[account]\n', '[Account]\r\n', ' [account] \n']),
        ...[pick(['user = ', 'USER=', 'user                          = ']), username, '\n'],
        ...[pick(['pwd = ', 'pwd=', '\tpwd\t= ']), password, pick(['\n', ' \n', '\r\n'])],
        isOff ? `disabled = ${off}\n` : pick(['', `disabled = ${on}\n`]),
        pick(['', 'expdate = 2027-12-31\n', 'expdate = 2027/12/31 # paid\n']),
        'group = 1\n\n',
      );
    },
  },
  csv: {
    head: 'user;pass;enabled;admin_enabled;expiry\n',
    canBeOff: true,
    row: ({ username, password, isOff }, pick) => {
      const shown = pick([quoted, plain]);
      const states = isOff
        ? pick(['0;1', '1;0', 'no;yes', 'false;true'])
        : pick(['1;1', 'yes;tak']);
      return join(shown(username), ';', shown(password), `;${states};2027-12-31\n`);
    },
  },
  status: {
    head: 'Login,Password,Status,Valid until\r\n',
    canBeOff: true,
    row: ({ username, password, isOff }, pick) => {
      const state = isOff
        ? pick(['disabled', 'Banned', 'suspended', '0', 'gesperrt', 'zawieszona', 'x'])
        : pick(['active', 'Trial', '1', 'ativa']);
      return join(username, ',', plain(password), `,${state},31.12.2027\r\n`);
    },
  },
};

const nameParts = ['anna', 'Nord_1', 'x-9', 'müller', '00123', "o'neil", 'kim.b', 'łódź'];
const passwordParts = [
  ...['tulip', 'pw=10', 'a;b', 'a,b', 'p#w', '"q"', "'-x", '=1', '1E+05', 'paßwort', 'a b'],
  ...['{x}', '€5', 'x\u00a0', 'e\u0301', '{0:0:1}', '#1', '//2', 'F:', '[account]', '12/2026'],
];

/** Letters in UTF-8, or in the encoding of an old editor. */
function bytesOf(text: string, encoding: 'utf8' | 'latin1'): Buffer {
  return Buffer.from(text, encoding);
}

function linesIn(bytes: Buffer): FoundLine[] | null {
  const read = readLinesFile(bytes);
  if ('problem' in read) return null;
  const { file } = read;
  const found =
    file.format === 'csv'
      ? file.rows.map((row) => lineOfRow(file, row, mappingOf(file), 'UTC'))
      : [...file.lines, ...file.switchedOff];
  const states = { 'status: disabled': 'off', 'status: trial': 'on' } as const;
  return found.map((line) => withChoices(line, { dates: 'd-m-y', states }));
}

/** True if the panel's own rules accept the line. Lines that they refuse are listed with their row. */
const isTaken = ({ fault, username, password }: FoundLine) =>
  !fault && lineUsername.safeParse(username).success && linePassword.safeParse(password).success;

test('of 2,000 rows of operators none that was off runs, and no credential is another', () => {
  const random = numbers(32);
  const pick: Pick = (items) => items[Math.floor(random() * items.length)] as (typeof items)[0];
  const counts = { taken: 0, off: 0, refused: 0 };
  for (let file = 0; file < 400; file++) {
    const shape = shapes[pick(Object.keys(shapes))] as Shape;
    const isMixed = random() < 0.2;
    const sources = Array.from({ length: 5 }, (_, row): Source => {
      const encoding = isMixed && random() < 0.5 ? 'latin1' : 'utf8';
      const username = bytesOf(`${pick(nameParts)}-${file}-${row}`, encoding);
      const text =
        random() < 0.4 ? pick(passwordParts) : `${pick(passwordParts)}${pick(['', '9'])}`;
      return { username, password: bytesOf(text, encoding), isOff: random() < 0.4 };
    });
    const bytes = join(shape.head, ...sources.map((source) => shape.row(source, pick)));
    const lines = linesIn(bytes);
    if (lines === null) {
      counts.refused += sources.length;
      continue;
    }
    // If all of a file is in one code page, its letters are read by that code page. A file with
    // both encodings keeps the bytes.
    const { file: read } = readLinesFile(bytes) as {
      file: { encoding: string };
    };
    const encoding = read.encoding === 'UTF-8' ? 'utf8' : 'latin1';
    for (const line of lines.filter(isTaken)) {
      const source = sources.find(({ username }) =>
        username.equals(bytesOf(line.username, encoding)),
      );
      const told = `${bytes.toString('latin1')}\n${JSON.stringify(line)}`;
      expect(source, told).toBeDefined();
      expect(bytesOf(line.password, encoding).equals(source?.password ?? Buffer.of()), told).toBe(
        true,
      );
      if (source?.isOff) {
        expect(line.isSuspended, told).toBe(true);
        counts.off++;
      }
      counts.taken++;
    }
    counts.refused += sources.length - lines.filter(isTaken).length;
  }
  // The rows include enough of each kind.
  expect(counts.taken).toBeGreaterThan(600);
  expect(counts.off).toBeGreaterThan(200);
  expect(counts.refused).toBeGreaterThan(200);
});
