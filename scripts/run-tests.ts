// The steps of `npm test` and `npm run test:all`, on Node 24 with everything installed; see run.mjs.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { allTests, concernedBrowserTests, concernedTests } from './concerned-tests.ts';
import { importsIn, readImportGraph } from './imports.ts';
import { root } from './prepare.mjs';
import { readChanges } from './rooms.ts';

interface Outcome {
  passed: number;
  /** A text for each failure. */
  problems: string[];
}

interface Step {
  name: string;
  what: string;
  /** Node's arguments for each command of the step. */
  commands: string[][];
  /** Reads the report that a test runner leaves in the folder, under the name of the step. */
  read?: (report: string) => Outcome;
  /** Node's arguments for another attempt at these files, alone. */
  again?: (files: string[]) => string[];
  /** True for a check whose output is also shown if it passes. */
  isShown?: boolean;
}

/** The separator between a file's path and the name of a failed test. */
const NAME_END = ' › ';
/** Failed files up to which they are tried again; more fail for a reason that a second attempt does not change. */
const MOST_FILES_TRIED_AGAIN = 8;
const EXIT_CODE_OF_CTRL_C = 130;
/** Enough for Playwright to close its browsers and servers, and for PostgreSQL to stop. */
const GRACE_MS = 15_000;
/**
 * Options for memory in large pages that is kept when it is free. On a virtual machine each page
 * that is new to a process can take longer than a query, and used a tenth of all processor time.
 */
const MALLOC = [
  'glibc.malloc.hugetlb=1',
  'glibc.malloc.mmap_threshold=33554432',
  'glibc.malloc.trim_threshold=1073741824',
].join(':');

const given = process.argv.slice(2);
const runsAll = given.includes('--all');
/** True to run only the tests that the changes concern. */
const runsChanged = given.includes('changed');
const names = given.filter((name) => !['--all', 'changed'].includes(name));
const folder = mkdtempSync(join(tmpdir(), 'linekeeper-tests-'));
const running = new Set<ChildProcess>();
let interrupted = false;

const passed: Outcome = { passed: 1, problems: [] };
const failed = (problem: string): Outcome => ({ passed: 0, problems: [problem] });

process.on('exit', () => {
  signalAll('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) {
  process.on(event, () => {
    interrupted = true;
    signalAll('SIGINT');
    setTimeout(() => signalAll('SIGKILL'), GRACE_MS).unref();
  });
}

/** Checks of the code, which run at the same time as the tests. */
const checks: Step[] = [
  { name: 'types', what: 'TypeScript', commands: typeScriptFolders().map(typeScript) },
  {
    name: 'lint',
    what: 'lint and format (Biome)',
    commands: [tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings')],
  },
  { name: 'imports', what: 'import law (dependency-cruiser)', commands: [['scripts/imports.ts']] },
  { name: 'dead-code', what: 'dead code (knip)', commands: [tool('knip/bin/knip.js')] },
  {
    name: 'rooms',
    what: 'lines of code in each room',
    commands: [['scripts/rooms.ts']],
    isShown: true,
  },
];

/**
 * Steps that need the built web app. They run in turn, because browsers and panels disturb each
 * other if they run at the same time.
 */
const tests: Step[] = [
  { name: 'size', what: 'first-load size', commands: [['scripts/check-size.mjs']] },
  {
    name: 'unit',
    what: 'unit and API tests (Vitest)',
    commands: [vitest()],
    read: readVitestReport,
    again: (files) => vitest('--maxWorkers=1', ...files),
  },
  {
    name: 'e2e',
    what: 'pages in a browser (Playwright)',
    commands: [playwright(runsAll ? [] : ['--grep=@main|@spec', '--grep-invert=@thorough'])],
    read: readPlaywrightReport,
  },
];
const build = [['scripts/run.mjs', 'build']];
const web: Step = { name: 'web', what: 'build of the web app', commands: build };

const known = [...checks, ...tests].map(({ name }) => name);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  finish([failed(`There is no step ${unknown.join(', ')}; the steps are: ${known.join(', ')}.`)]);
} else {
  // These variables would disturb the tools, or slow them down.
  delete process.env.NODE_ENV;
  process.env.GLIBC_TUNABLES ??= MALLOC;
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = join(folder, 'e2e');
  try {
    accessSync(homedir(), constants.W_OK);
  } catch {
    process.env.HOME = folder;
  }
  const isChosen = ({ name }: Step) => names.length === 0 || names.includes(name);
  const chosen = runsChanged ? await testsOfChanges() : tests.filter(isChosen);
  const [first, second] = await Promise.all([
    runInTurn(chosen.length > 0 ? [web, ...chosen] : [], runTest),
    runInTurn(checks.filter(isChosen), runCheck),
  ]);
  finish([...first, ...second]);
}

/** The arguments that run a program of node_modules. A link in node_modules/.bin would need a shell on Windows. */
function tool(program: string, ...args: string[]): string[] {
  return [join('node_modules', program), ...args];
}

function vitest(...more: string[]): string[] {
  return tool(
    'vitest/vitest.mjs',
    ...['run', '--allowOnly=false', '--reporter=default', '--reporter=json'],
    ...[`--outputFile.json=${join(folder, 'unit')}`],
    ...(runsAll ? [] : ['--tags-filter=!thorough']),
    ...more,
  );
}

function playwright(more: string[]): string[] {
  const report = ['--config=e2e/playwright.config.ts', '--reporter=list,json'];
  return tool('@playwright/test/cli.js', 'test', ...report, ...more);
}

/** With this cache the compiler only checks again what has changed since its last run on this folder. */
function typeScript(project: string): string[] {
  const state = join('node_modules/.cache/types', `${project.replaceAll(/\W+/g, '-')}.tsbuildinfo`);
  return tool('typescript/bin/tsc', '-p', project, '--incremental', '--tsBuildInfoFile', state);
}

/** The steps of the tests that the changes concern; those in a browser run whole files. */
async function testsOfChanges(): Promise<Step[]> {
  const changed = readChanges(root).map(({ path }) => path);
  const isRun = (file: string) =>
    runsAll || !readFileSync(join(root, file), 'utf8').startsWith('// @module-tag thorough');
  const imports = importsIn(await readImportGraph());
  const files = concernedTests(changed, allTests(root), imports).filter(isRun);
  const pages = concernedBrowserTests(changed);
  console.log(`${changed.length} files changed, ${files.length} files of unit tests concerned`);
  console.log(`Browser tests: ${pages.join(', ') || 'none'}`);
  return tests.flatMap((step) => {
    if (step.name === 'unit' && files.length > 0) return { ...step, commands: [vitest(...files)] };
    if (step.name === 'e2e' && pages.length > 0) return { ...step, commands: [playwright(pages)] };
    return [];
  });
}

/** Folders with TypeScript; the compiler fails on one that has no tsconfig.json. */
function typeScriptFolders(): string[] {
  const sources = globSync('**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|data|\..+)$/.test(path),
  });
  const member = /^((apps|packages)[\\/])?[^\\/]+(?=[\\/])/;
  return [...new Set(sources.map((path) => member.exec(path)?.[0] ?? '.'))].sort();
}

async function runInTurn(steps: Step[], run: (step: Step) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of steps) {
    const { name } = step;
    const before = performance.now();
    const { passed, problems } = interrupted ? failed('The run was ended.') : await run(step);
    const seconds = ((performance.now() - before) / 1000).toFixed(1);
    const mark = problems.length === 0 ? '✓' : '✗';
    const counts = `${passed} passed, ${problems.length} failed`;
    console.log(`${mark} ${name}: ${step.what}: ${counts} in ${seconds} s`);
    outcomes.push({ passed, problems: problems.map((problem) => `${name}: ${problem.trim()}`) });
  }
  return outcomes;
}

/** The output of a check is shown at the end, if it fails. */
async function runCheck({ name, commands, isShown }: Step): Promise<Outcome> {
  const log = join(folder, name);
  const problems: string[] = [];
  for (const command of commands) {
    const code = await runNode(command, openSync(log, 'w'));
    if (interrupted) return failed('The run was ended.');
    const output = readFileSync(log, 'utf8');
    if (code !== 0) problems.push(`code ${code}\n${output}`);
    else if (isShown) console.log(output.trim());
  }
  return problems.length === 0 ? passed : failed(problems.join('\n'));
}

/**
 * Runs a test. On a busy machine it may lose a race that no user would notice, so a failed file is
 * tried once more, alone on the machine, and named if it passes then, so that it is examined.
 * Playwright repeats failed tests on its own.
 */
async function runTest(step: Step): Promise<Outcome> {
  const first = await runCommands(step, step.commands);
  const files = new Set(first.problems.map((problem) => problem.split(NAME_END)[0] ?? ''));
  const areFiles = [...files].every((file) => existsSync(join(root, file)));
  if (!step.again || interrupted || files.size === 0 || !areFiles) return first;
  if (files.size > MOST_FILES_TRIED_AGAIN) return first;
  const second = await runCommands(step, [step.again([...files])]);
  const flaky = first.problems.filter((problem) => !second.problems.includes(problem));
  if (flaky.length > 0) console.log(`\nPassed at the second try:\n${flaky.join('\n')}\n`);
  return { passed: first.passed + flaky.length, problems: second.problems };
}

/** Runs the commands of a test, with their output shown immediately. */
async function runCommands({ name, read }: Step, commands: string[][]): Promise<Outcome> {
  const report = join(folder, name);
  rmSync(report, { force: true });
  let code: number | null = 0;
  for (const command of commands) code ||= await runNode(command, 'inherit');
  const ending = failed(`It ended with code ${code}; its output is above.`);
  if (!read) return code === 0 ? passed : ending;
  if (!existsSync(report)) return ending;
  const outcome = read(readFileSync(report, 'utf8'));
  // The counts must explain the exit code; otherwise something failed outside the tests.
  const isWhole = outcome.problems.length > 0 || (code === 0 && outcome.passed > 0);
  return isWhole ? outcome : { ...outcome, problems: ending.problems };
}

/**
 * Runs a program on Node as the leader of a process group, so that processes that it leaves behind
 * end with it, and Ctrl-C reaches it only once, from here.
 */
async function runNode(args: string[], output: 'inherit' | number): Promise<number | null> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    detached: process.platform !== 'win32',
    stdio: ['ignore', output, output],
  });
  running.add(child);
  const [code] = await once(child, 'exit');
  signal(child, 'SIGKILL');
  running.delete(child);
  return code;
}

function signalAll(name: NodeJS.Signals): void {
  for (const child of running) signal(child, name);
}

function signal({ pid = 0 }: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    // The group has no processes left.
  }
}

/** The parts of Vitest's JSON report that are read here. */
interface VitestReport {
  numPassedTests: number;
  testResults: { name: string; status: string; assertionResults: VitestResult[] }[];
}
type VitestResult = { fullName: string; status: string };

function readVitestReport(report: string): Outcome {
  const { numPassedTests, testResults }: VitestReport = JSON.parse(report);
  const problems = testResults.flatMap(({ name, status, assertionResults }) => {
    // Tests that the tag filters out are reported as skipped, too.
    const isProblem = (of: string) => (runsAll ? of !== 'passed' : of === 'failed');
    const tests = assertionResults.filter((test) => isProblem(test.status));
    const titles = tests.map((test) => `${test.fullName}: ${test.status}`);
    if (status === 'failed' && titles.length === 0) titles.push('the file itself failed');
    return titles.map((title) => `${relative(root, name)}${NAME_END}${title}`);
  });
  return { passed: numPassedTests, problems };
}

/** The parts of Playwright's JSON report that are read here. */
interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
  stats: { expected: number; flaky: number };
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { projectName: string; status: string }[] }[];
}

function readPlaywrightReport(report: string): Outcome {
  const { suites, errors, stats }: PlaywrightReport = JSON.parse(report);
  const problemsIn = ({ title, specs, suites = [] }: PlaywrightSuite): string[] => {
    const failed = specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => !['expected', 'flaky'].includes(status))
        .map(({ projectName, status }) => `${spec.title} [${projectName}]: ${status}`),
    );
    return [...failed, ...suites.flatMap(problemsIn)].map((problem) => title + NAME_END + problem);
  };
  const ofAll = errors.map(({ message }) => message ?? 'unknown error');
  const problems = [...ofAll, ...suites.flatMap(problemsIn)];
  return { passed: stats.expected + stats.flaky, problems };
}

function finish(outcomes: Outcome[]): void {
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  const passedInAll = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  // Problems are repeated at the end of the output, where people look first.
  if (problems.length > 0) console.log(`\nWhat failed:\n${problems.join('\n')}`);
  console.log(`\n${passedInAll} passed, ${problems.length} failed`);
  // The IPC channel to run.mjs would keep this process alive.
  process.removeAllListeners('disconnect');
  if (process.connected) process.disconnect();
  if (interrupted) process.exitCode = EXIT_CODE_OF_CTRL_C;
  else process.exitCode = problems.length > 0 || passedInAll === 0 ? 1 : 0;
}
