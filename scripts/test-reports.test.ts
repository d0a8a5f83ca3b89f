import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPlaywrightReport } from './test-reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'linekeeper-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function outcomeOf(statuses: string[], annotations: { type: string }[] = []) {
  const file = join(folder, 'report.json');
  const tests = statuses.map((status) => ({
    projectName: 'ways',
    status,
    annotations,
    results: [{ errors: status === 'expected' ? [] : [{ message: 'the row is not there' }] }],
  }));
  const suites = [{ title: 'lines', specs: [{ title: 'a sale', tests }] }];
  writeFileSync(file, JSON.stringify({ suites, errors: [] }));
  return readPlaywrightReport(file, statuses.includes('unexpected') ? 1 : 0);
}

test('what passes at the second try counts as passed and is named', () => {
  const outcome = outcomeOf(['expected', 'flaky']);
  expect(outcome).toMatchObject({ passed: 2, failed: 0, problems: [] });
  expect(outcome.note).toContain('flaky: lines › a sale [ways]');
  expect(outcome.note).toContain('the row is not there');
});

test('what fails twice, is skipped or is expected to fail counts as failed', () => {
  expect(outcomeOf(['expected', 'unexpected'])).toMatchObject({ passed: 1, failed: 1 });
  expect(outcomeOf(['skipped'])).toMatchObject({ passed: 0, failed: 1 });
  expect(outcomeOf(['expected'], [{ type: 'fail' }])).toMatchObject({ passed: 0, failed: 1 });
});
