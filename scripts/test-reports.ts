import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export interface Outcome {
  passed: number;
  failed: number;
  /** The reason for each failure, printed below the step. */
  problems: string[];
  /** Printed even if the step passed. */
  note?: string;
}

/** Only the parts of Vitest's JSON report that are read here. */
interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Only the parts of Playwright's JSON report that are read here. */
interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    tests: {
      projectName: string;
      status: string;
      annotations: { type: string }[];
      results: { errors: { message?: string }[] }[];
    }[];
  }[];
}

/** Everything other than a pass is a failure, including skipped tests. */
export function readVitestReport(file: string, exitCode: number | null): Outcome {
  const report = readReport<VitestReport>(file);
  if (!report) return withoutReport('Vitest', exitCode);
  const outcome: Outcome = { passed: 0, failed: 0, problems: [] };
  for (const { name, status, message, assertionResults } of report.testResults) {
    for (const test of assertionResults) {
      if (test.status === 'passed') outcome.passed += 1;
      else {
        addFailure(
          outcome,
          `${test.status}: ${test.fullName} (${name})${inShort(test.failureMessages)}`,
        );
      }
    }
    const fileItselfFailed = status === 'failed' && !assertionResults.some(isFailed);
    if (fileItselfFailed) addFailure(outcome, `${name}: ${message}`);
    else if (assertionResults.length === 0) addFailure(outcome, `${name}: no test in it`);
  }
  return checkWhole('Vitest', outcome, exitCode);
}

export function readPlaywrightReport(file: string, exitCode: number | null): Outcome {
  const report = readReport<PlaywrightReport>(file);
  if (!report) return withoutReport('Playwright', exitCode);
  const outcome: Outcome = { passed: 0, failed: 0, problems: [] };
  for (const suite of report.suites) countSuite(outcome, suite, []);
  for (const error of report.errors) addFailure(outcome, error.message ?? 'unknown error');
  return checkWhole('Playwright', outcome, exitCode);
}

function countSuite(outcome: Outcome, suite: PlaywrightSuite, path: string[]): void {
  const here = [...path, suite.title];
  for (const spec of suite.specs) {
    for (const test of spec.tests) {
      const name = [...here, spec.title].join(' › ');
      const where = test.projectName ? ` [${test.projectName}]` : '';
      const errors = test.results.flatMap((result) => result.errors);
      const why = inShort(errors.map(({ message }) => message ?? ''));
      const problem = `${test.status}: ${name}${where}${why}`;
      const hasPassed = test.status === 'expected' || test.status === 'flaky';
      if (!hasPassed || isExcused(test.annotations)) addFailure(outcome, problem);
      else {
        outcome.passed += 1;
        if (test.status === 'flaky') addNote(outcome, problem);
      }
    }
  }
  for (const child of suite.suites ?? []) countSuite(outcome, child, here);
}

const MOST_LINES = 12;

/** The first lines of each message, below the test's name. */
function inShort(messages: string[]): string {
  return messages
    .flatMap((message) => linesOf(message).slice(0, MOST_LINES))
    .map((line) => `\n    ${line}`)
    .join('');
}

/** Leaves out stack frames in the tools' own code. */
function linesOf(message: string): string[] {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines.filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line));
}

/** A test marked as expected to fail counts as expected when it does. */
function isExcused(annotations: { type: string }[]): boolean {
  return annotations.some(({ type }) => ['fail', 'fixme', 'skip'].includes(type));
}

/** The counts must explain the exit code; otherwise something failed outside the tests. */
function checkWhole(tool: string, outcome: Outcome, exitCode: number | null): Outcome {
  if (outcome.passed + outcome.failed === 0) addFailure(outcome, `${tool} ran no test.`);
  if (exitCode !== 0 && outcome.failed === 0) {
    addFailure(
      outcome,
      `${tool} ended with code ${exitCode}, though every test passed; see above.`,
    );
  }
  return outcome;
}

function withoutReport(tool: string, exitCode: number | null): Outcome {
  const problem = `${tool} left no report (exit code ${exitCode}); its output is above.`;
  return { passed: 0, failed: 1, problems: [problem] };
}

function addNote(outcome: Outcome, note: string): void {
  outcome.note = outcome.note ? `${outcome.note}\n${note}` : note;
}

function addFailure(outcome: Outcome, problem: string): void {
  outcome.failed += 1;
  outcome.problems.push(problem);
}

function isFailed({ status }: { status: string }): boolean {
  return status === 'failed';
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
