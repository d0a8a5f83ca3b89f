import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkConformance } from './conformance/check.ts';
import { type KnownTests, playwrightTests, vitestTests } from './conformance/known-tests.ts';
import { ensureWebBuilt, PrepareError, root } from './prepare.mjs';
import type { Group } from './process-group.ts';
import { type Outcome, readPlaywrightReport, readVitestReport } from './test-reports.ts';

export interface Step {
  name: string;
  what: string;
  needsWeb?: boolean;
  /** Begins when all others have ended, and reads what they left in the report folder. */
  isLast?: boolean;
  run(context: StepContext): Promise<Outcome>;
}

export interface StepContext {
  group: Group;
  /** Folder for a tool's report; removed at the end. */
  reportFolder: string;
}

export const passed: Outcome = { passed: 1, failed: 0, problems: [] };

export function failedWith(problem: string): Outcome {
  return { passed: 0, failed: 1, problems: [problem] };
}

/** Steps that need the built web app wait for this step. */
export const webStep: Step = {
  name: 'web',
  what: 'build of the web app',
  run: async () => {
    try {
      await ensureWebBuilt(process.execPath);
      return passed;
    } catch (error) {
      if (error instanceof PrepareError) return failedWith(error.message);
      throw error;
    }
  },
};

export const steps: Step[] = [
  { name: 'types', what: 'TypeScript', run: checkTypes },
  { name: 'size', what: 'first-load size', needsWeb: true, run: checkSize },
  {
    name: 'unit',
    what: 'unit and API tests (Vitest)',
    needsWeb: true,
    run: runVitest,
  },
  {
    name: 'lint',
    what: 'lint and format (Biome)',
    run: (context) => runTool(context, '@biomejs/biome', 'biome', ['check', '--error-on-warnings']),
  },
  { name: 'imports', what: 'import law (dependency-cruiser)', run: checkImports },
  {
    name: 'dead-code',
    what: 'dead code (knip)',
    run: (context) => runTool(context, 'knip', 'knip', []),
  },
  {
    name: 'e2e',
    what: 'pages in a browser (Playwright)',
    needsWeb: true,
    run: runPlaywright,
  },
  {
    name: 'conformance',
    what: 'docs/conformance.md: a test for each sentence of the specification',
    isLast: true,
    run: runConformance,
  },
];

async function runTool(
  { group }: StepContext,
  packageName: string,
  tool: string,
  args: string[],
): Promise<Outcome> {
  const { code, output } = await group.runNode([toolPath(packageName, tool), ...args]);
  return code === 0 ? passed : failedWith(output);
}

/**
 * Tools are started by Node directly, because a link in node_modules/.bin would need a shell on
 * Windows.
 */
function toolPath(packageName: string, tool: string): string {
  const folder = join(root, 'node_modules', packageName);
  const description = join(folder, 'package.json');
  if (!existsSync(description)) throw new Error(`The npm package ${packageName} is missing.`);
  const { bin } = JSON.parse(readFileSync(description, 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[tool]);
}

async function checkTypes(context: StepContext): Promise<Outcome> {
  const { projects, uncovered } = findTypeScriptProjects();
  const problems = uncovered.map((folder) => `${folder} holds TypeScript without a tsconfig.json.`);
  if (projects.length === 0) problems.push('There is no tsconfig.json.');
  for (const project of projects) {
    const check = await runTool(context, 'typescript', 'tsc', ['--noEmit', '--project', project]);
    problems.push(...check.problems);
  }
  return problems.length === 0 ? passed : failedWith(problems.join('\n'));
}

function findTypeScriptProjects(): { projects: string[]; uncovered: string[] } {
  const top = subfolders(root).filter((folder) => !/\/(apps|packages|data)$/.test(folder));
  const folders = [root, ...top, ...members()].map((folder) => relative(root, folder) || '.');
  const projects = folders.filter((folder) => existsSync(join(root, folder, 'tsconfig.json')));
  const uncovered = folders.filter(
    (folder) => !projects.includes(folder) && holdsTypeScript(join(root, folder), folder !== '.'),
  );
  return { projects, uncovered };
}

function members(): string[] {
  return ['apps', 'packages'].flatMap((group) =>
    existsSync(join(root, group)) ? subfolders(join(root, group)) : [],
  );
}

function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name))
    .map((entry) => join(folder, entry.name));
}

function holdsTypeScript(folder: string, andBelow: boolean): boolean {
  if (readdirSync(folder).some((name) => /\.[cm]?tsx?$/.test(name))) return true;
  return andBelow && subfolders(folder).some((below) => holdsTypeScript(below, true));
}

async function checkImports({ group }: StepContext): Promise<Outcome> {
  const sources = members()
    .map((folder) => relative(root, join(folder, 'src')))
    .filter((folder) => existsSync(join(root, folder)));
  const script = join(root, 'scripts/imports.ts');
  const { code, output } = await group.runNode([script, ...sources]);
  return code === 0 ? passed : failedWith(output);
}

async function runVitest({ group, reportFolder }: StepContext): Promise<Outcome> {
  const report = vitestReport(reportFolder);
  const { code } = await group.runNode(
    [
      toolPath('vitest', 'vitest'),
      ...['run', '--allowOnly=false', '--reporter=default', '--reporter=json'],
      `--outputFile.json=${report}`,
    ],
    { label: 'unit' },
  );
  return readVitestReport(report, code);
}

async function runPlaywright({ group, reportFolder }: StepContext): Promise<Outcome> {
  const report = playwrightReport(reportFolder);
  const { code } = await group.runNode(
    [...playwrightCommand(), '--forbid-only', '--reporter=list,json'],
    { label: 'e2e', env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  );
  return readPlaywrightReport(report, code);
}

async function checkSize({ group }: StepContext): Promise<Outcome> {
  const { code, output } = await group.runNode([join(root, 'scripts', 'check-size.mjs')]);
  return { ...(code === 0 ? passed : failedWith(output)), note: output.trim() };
}

/** Tests that did not run this time are listed, so that at least their names are checked. */
async function runConformance(context: StepContext): Promise<Outcome> {
  const known = [await knownVitestTests(context), await knownPlaywrightTests(context)];
  return checkConformance(root, new Map(known.flatMap((some) => [...some])));
}

async function knownVitestTests({ group, reportFolder }: StepContext): Promise<KnownTests> {
  const report = vitestReport(reportFolder);
  if (existsSync(report)) return vitestTests.ofReport(report);
  const list = join(reportFolder, 'vitest-list.json');
  // Names made from tables are known only where the files are executed.
  const args = ['list', '--no-static-parse', `--json=${list}`];
  const { output } = await group.runNode([toolPath('vitest', 'vitest'), ...args]);
  if (!existsSync(list)) throw new Error(`Vitest listed no tests.\n${output}`);
  return vitestTests.ofList(list);
}

async function knownPlaywrightTests({ group, reportFolder }: StepContext): Promise<KnownTests> {
  const report = playwrightReport(reportFolder);
  if (existsSync(report)) return playwrightTests.ofReport(report);
  const list = join(reportFolder, 'playwright-list.json');
  const { output } = await group.runNode([...playwrightCommand(), '--list', '--reporter=json'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: list },
  });
  if (!existsSync(list)) throw new Error(`Playwright listed no tests.\n${output}`);
  return playwrightTests.ofList(list);
}

function vitestReport(folder: string): string {
  return join(folder, 'vitest.json');
}

function playwrightReport(folder: string): string {
  return join(folder, 'playwright.json');
}

function playwrightCommand(): string[] {
  const tool = toolPath('@playwright/test', 'playwright');
  return [tool, 'test', '--config', 'e2e/playwright.config.ts'];
}
