import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../prepare.mjs';

/** The status of each test by `file › full name`; 'listed' where it was only looked for. */
export type KnownTests = Map<string, string>;

export const vitestTests = { ofReport: readVitestReport, ofList: readVitestList };
export const playwrightTests = {
  ofReport: (file: string) => readPlaywrightReport(file, false),
  ofList: (file: string) => readPlaywrightReport(file, true),
};

const BETWEEN = ' › ';
/** Vitest puts it between the names when it lists tests. */
const BETWEEN_LISTED = ' > ';

function readVitestReport(file: string): KnownTests {
  const { testResults } = readJson<{
    testResults: {
      name: string;
      assertionResults: { ancestorTitles: string[]; title: string; status: string }[];
    }[];
  }>(file);
  const known: KnownTests = new Map();
  for (const { name, assertionResults } of testResults) {
    for (const { ancestorTitles, title, status } of assertionResults) {
      note(known, [relative(root, name), ...ancestorTitles, title], status);
    }
  }
  return known;
}

/** What `vitest list --json` writes. */
function readVitestList(file: string): KnownTests {
  const known: KnownTests = new Map();
  for (const { file: path, name } of readJson<{ file: string; name: string }[]>(file)) {
    note(known, [relative(root, path), name], 'listed');
  }
  return known;
}

interface Suite {
  title: string;
  specs: { title: string; tests: { status: string }[] }[];
  suites?: Suite[];
}

/** A report of Playwright; `--list` writes one too, where every test is called skipped. */
function readPlaywrightReport(file: string, isList: boolean): KnownTests {
  const known: KnownTests = new Map();
  const addSuite = ({ title, specs, suites }: Suite, above: string[]) => {
    const path = [...above, title];
    for (const spec of specs) {
      for (const { status } of spec.tests) {
        const hasPassed = status === 'expected' || status === 'flaky';
        const ended = hasPassed ? 'passed' : status;
        note(known, [...path, spec.title], isList ? 'listed' : ended);
      }
    }
    for (const suite of suites ?? []) addSuite(suite, path);
  };
  for (const { title, ...suite } of readJson<{ suites: Suite[] }>(file).suites) {
    addSuite({ ...suite, title: `e2e/${title}` }, []);
  }
  return known;
}

/** Of tests that share a name, the one that did not pass counts. */
function note(known: KnownTests, names: string[], status: string): void {
  const name = names.join(BETWEEN).replaceAll(BETWEEN_LISTED, BETWEEN);
  if ((known.get(name) ?? 'passed') === 'passed') known.set(name, status);
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8'));
}
