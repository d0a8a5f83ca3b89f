import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../prepare.mjs';
import { checkRows } from './check.ts';
import { playwrightTests, vitestTests } from './known-tests.ts';
import { faultsOf, miscountedRows, readRows, unreadRows } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'linekeeper-conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(content: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const PAGE = `# Conformance

| Spec | Says | Proven by |
|---|---|---|
| 1.1 | A sale | \`a.test.ts › sales › cost credits\`<br>\`e2e/a.spec.ts › a \\| b\` |
| 1.2 | SQL by the wire | [0091](decisions/0091-a.md) |
| 1.3 | A dashboard | not yet |
`;

const rows = readRows(PAGE);
const bothPassed = new Map([
  ['a.test.ts › sales › cost credits', 'passed'],
  ['e2e/a.spec.ts › a | b', 'passed'],
]);

function faultsIn(markdown: string, notYet: string[] = []): string[] {
  mkdirSync(join(folder, 'decisions'), { recursive: true });
  writeFileSync(join(folder, 'decisions', '0091-a.md'), '');
  return faultsOf(readRows(markdown), folder, notYet);
}

test('a row has a number, what is said, and tests or decisions', () => {
  expect(rows).toEqual([
    {
      ...{ id: '1.1', says: 'A sale', tests: [...bothPassed.keys()] },
      ...{ decisions: [], isNotYet: false },
    },
    {
      ...{ id: '1.2', says: 'SQL by the wire', tests: [] },
      ...{ decisions: ['decisions/0091-a.md'], isNotYet: false },
    },
    { id: '1.3', says: 'A dashboard', tests: [], decisions: [], isNotYet: true },
  ]);
});

test('rows whose tests passed are counted', () => {
  expect(checkRows(rows, bothPassed, [])).toMatchObject({ passed: 3, failed: 0, note: undefined });
});

test('a row fails whose test failed, was skipped or is not there, and is named with it', () => {
  const names = [...bothPassed.keys()];
  const known = new Map([[names[0] ?? '', 'failed']]);
  expect(checkRows(rows, known, [])).toMatchObject({
    passed: 2,
    failed: 2,
    problems: [`1.1 A sale: failed: ${names[0]}`, `1.1 A sale: no such test: ${names[1]}`],
  });
  const skipped = new Map([...bothPassed, [names[1] ?? '', 'skipped']]);
  expect(checkRows(rows, skipped, []).problems).toEqual([`1.1 A sale: skipped: ${names[1]}`]);
});

test('tests that were only listed are accepted, and it is said', () => {
  const known = new Map([...bothPassed].map(([name]) => [name, 'listed']));
  const { failed, note } = checkRows(rows, known, []);
  expect([failed, note]).toEqual([0, '2 tests were only looked for, not run.']);
});

test('a page is at fault where a row says neither, or says what is not so', () => {
  expect(faultsIn(PAGE, ['1.3'])).toEqual([]);
  expect(faultsIn('')).toEqual(['There is no row.']);
  expect(faultsIn(PAGE)).toEqual([expect.stringContaining('NOT_YET does not have it')]);
  expect(faultsIn(PAGE, ['1.2', '1.3', '1.4'])).toEqual([
    '1.2 SQL by the wire: NOT_YET still has it',
    '1.4: NOT_YET has it, and no row does',
  ]);
  expect(faultsIn('| 1.1 | A sale | somebody looked |')).toEqual([
    '1.1 A sale: neither test nor decision',
  ]);
  expect(faultsIn('| 1.1 | A sale | [0092](decisions/0092-b.md) |')).toEqual([
    '1.1 A sale: there is no decisions/0092-b.md',
  ]);
  const twice = `${PAGE}| 1.1 | Another | [0091](decisions/0091-a.md) |`;
  expect(faultsIn(twice, ['1.3'])).toEqual(['1.1 Another: another row has this number']);
});

test('a row that does not parse is named', () => {
  expect(unreadRows(PAGE)).toEqual([]);
  const row = '| 9.28x9 | A limit | `a.test.ts › limits` |';
  expect(unreadRows(PAGE + row)).toEqual([`A row cannot be read: ${row}`]);
});

test('a row that was deleted is missed, the last of a section too', () => {
  expect(miscountedRows(rows, [3])).toEqual([]);
  expect(miscountedRows(rows.slice(1), [3])).toEqual(['1.1: there is no such row']);
  expect(miscountedRows(rows.slice(0, 2), [3])).toEqual(['1.3: there is no such row']);
  expect(miscountedRows(rows, [3, 1])).toEqual(['2.1: there is no such row']);
  expect(miscountedRows(rows, [2])).toEqual(['1.3 A dashboard: its section ends before']);
});

test('names are the same whether Vitest ran or listed the tests', () => {
  const name = join(root, 'apps/a.test.ts');
  const cases = [
    { ancestorTitles: ['sales', 'on postgres'], title: 'cost credits', status: 'passed' },
    { ancestorTitles: [], title: 'twice', status: 'passed' },
    { ancestorTitles: [], title: 'twice', status: 'failed' },
  ];
  const report = written({ testResults: [{ name, assertionResults: cases }] });
  expect([...vitestTests.ofReport(report)]).toEqual([
    ['apps/a.test.ts › sales › on postgres › cost credits', 'passed'],
    ['apps/a.test.ts › twice', 'failed'],
  ]);
  const list = written([{ file: name, name: 'sales > on postgres > cost credits' }]);
  expect([...vitestTests.ofList(list)]).toEqual([
    ['apps/a.test.ts › sales › on postgres › cost credits', 'listed'],
  ]);
});

test('a test in a browser counts where it passed, at the second try too', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] });
  const suites = [
    {
      title: 'lines/sale.spec.ts',
      specs: [spec('sells', 'flaky'), spec('renews', 'unexpected')],
      suites: [{ title: 'on a phone', specs: [spec('sells', 'expected')] }],
    },
  ];
  const report = written({ suites });
  expect([...playwrightTests.ofReport(report)]).toEqual([
    ['e2e/lines/sale.spec.ts › sells', 'passed'],
    ['e2e/lines/sale.spec.ts › renews', 'unexpected'],
    ['e2e/lines/sale.spec.ts › on a phone › sells', 'passed'],
  ]);
  expect(new Set(playwrightTests.ofList(report).values())).toEqual(new Set(['listed']));
});
