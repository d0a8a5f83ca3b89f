// The steps of `npm test`, on Node 24 with everything installed; see test.mjs.
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group } from './process-group.ts';
import { signalChildren } from './processes.mjs';
import type { Outcome } from './test-reports.ts';
import { failedWith, type Step, type StepContext, steps, webStep } from './test-steps.ts';

const EXIT_CODE_OF_CTRL_C = 130;
/**
 * Memory in large pages, and kept when it is free. On a virtual machine each page that is new to a
 * process can take longer than a query, and a tenth of all processor time went there.
 */
const MALLOC = [
  'glibc.malloc.hugetlb=1',
  'glibc.malloc.mmap_threshold=33554432',
  'glibc.malloc.trim_threshold=1073741824',
].join(':');

const group = new Group();
const reportFolder = mkdtempSync(join(tmpdir(), 'linekeeper-tests-'));
process.on('exit', () => {
  group.kill();
  rmSync(reportFolder, { recursive: true, force: true });
});

let interrupted = false;
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) {
  process.on(event, () => {
    interrupted = true;
    signalChildren('SIGTERM');
    group.end();
  });
}

settleEnvironment();
const names = process.argv.slice(2);
const unknown = names.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  const known = steps.map((step) => step.name).join(', ');
  console.log(`There is no step ${unknown.join(', ')}; the steps are: ${known}.`);
  finish([failedWith('')]);
} else {
  const chosen = steps.filter((step) => names.length === 0 || names.includes(step.name));
  finish(await runSteps(chosen));
}

/** Removes or sets environment variables that would disturb the tools, or slow them down. */
function settleEnvironment(): void {
  delete process.env.NODE_ENV;
  process.env.GLIBC_TUNABLES ??= MALLOC;
  try {
    accessSync(homedir(), constants.W_OK);
  } catch {
    process.env.HOME = reportFolder;
  }
}

/**
 * The tests one after the other, because browsers and panels side by side get in each other's way;
 * the checks of the code beside them.
 */
async function runSteps(chosen: Step[]): Promise<Outcome[]> {
  const context: StepContext = { group, reportFolder };
  const outcomes: Outcome[] = [];
  const runInTurn = async (some: Step[]) => {
    for (const step of some) outcomes.push(await runStep(step, context));
  };
  const tests = chosen.filter((step) => step.needsWeb);
  const checks = chosen.filter((step) => !step.needsWeb && !step.isLast);
  await Promise.all([runInTurn(tests.length > 0 ? [webStep, ...tests] : []), runInTurn(checks)]);
  await runInTurn(chosen.filter((step) => step.isLast));
  return outcomes;
}

async function runStep(step: Step, context: StepContext): Promise<Outcome> {
  if (interrupted) return failedWith('The run was ended.');
  const before = performance.now();
  const outcome = await step.run(context).catch((error) => failedWith(String(error)));
  const seconds = ((performance.now() - before) / 1000).toFixed(1);
  const mark = outcome.failed === 0 ? '✓' : '✗';
  const counts = `${outcome.passed} passed, ${outcome.failed} failed`;
  console.log(`${mark} ${step.name}: ${step.what}: ${counts} in ${seconds} s`);
  if (outcome.note && outcome.failed === 0) console.log(indent(outcome.note));
  for (const problem of outcome.problems) console.log(indent(problem));
  return outcome;
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function finish(outcomes: Outcome[]): void {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  // Repeated at the end of the output, where readers look first.
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  if (problems.length > 0) console.log(`\nWhat failed:\n${indent(problems.join('\n'))}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  // The IPC channel to test.mjs would keep this process alive.
  process.removeAllListeners('disconnect');
  if (process.connected) process.disconnect();
  if (interrupted) process.exitCode = EXIT_CODE_OF_CTRL_C;
  else process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
