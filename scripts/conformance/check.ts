import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../test-reports.ts';
import type { KnownTests } from './known-tests.ts';
import { faultsOf, miscountedRows, type Row, readRows, unreadRows } from './rows.ts';

/** Rows of docs/conformance.md whose work is under way. Nothing else may be marked 'not yet'. */
const NOT_YET: string[] = [];

/** How many rows each section has, so that one that was deleted is missed. */
const SECTIONS = [12, 62, 32, 27, 25, 17, 45, 48, 28];

/** Holds docs/conformance.md against the tests that ran, or against those that there are. */
export function checkConformance(root: string, known: KnownTests): Outcome {
  const docs = join(root, 'docs');
  const markdown = readFileSync(join(docs, 'conformance.md'), 'utf8');
  const rows = readRows(markdown);
  return checkRows(rows, known, [
    ...unreadRows(markdown),
    ...miscountedRows(rows, SECTIONS),
    ...faultsOf(rows, docs, NOT_YET),
  ]);
}

export function checkRows(rows: Row[], known: KnownTests, faults: string[]): Outcome {
  const unproven = rows.flatMap(({ id, says, tests }) =>
    tests.flatMap((test) => {
      const status = known.get(test) ?? 'no such test';
      return status === 'passed' || status === 'listed'
        ? []
        : [`${id} ${says}: ${status}: ${test}`];
    }),
  );
  const problems = [...faults, ...unproven];
  const wanting = rows.filter(({ id }) => problems.some((problem) => problem.startsWith(`${id} `)));
  const named = rows.flatMap(({ tests }) => tests);
  const onlyListed = new Set(named.filter((test) => known.get(test) === 'listed')).size;
  return {
    passed: rows.length - wanting.length,
    failed: problems.length,
    problems,
    note: onlyListed > 0 ? `${onlyListed} tests were only looked for, not run.` : undefined,
  };
}
