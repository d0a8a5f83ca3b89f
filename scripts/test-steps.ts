import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureWebBuilt, PrepareError, root } from './prepare.mjs';
import type { Group } from './process-group.ts';
import { type Outcome, readPlaywrightReport, readVitestReport } from './test-reports.ts';

export interface Step {
  name: string;
  what: string;
  /** A quiet step says something only when it fails, so two of them may run side by side. */
  quiet: boolean;
  needsWeb?: boolean;
  run(context: StepContext): Promise<Outcome>;
}

export interface StepContext {
  group: Group;
  /** Where a tool may leave its report; removed at the end. */
  reportFolder: string;
}

export const passed: Outcome = { passed: 1, failed: 0, problems: [] };

export function failedWith(problem: string): Outcome {
  return { passed: 0, failed: 1, problems: [problem] };
}

/** The steps that need the built web app wait for this one. */
export const webStep: Step = {
  name: 'web',
  what: 'build of the web app',
  quiet: false,
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
  { name: 'types', what: 'TypeScript', quiet: true, run: checkTypes },
  {
    name: 'lint',
    what: 'lint and format (Biome)',
    quiet: true,
    run: (context) => runTool(context, '@biomejs/biome', 'biome', ['check', '--error-on-warnings']),
  },
  { name: 'imports', what: 'import law (dependency-cruiser)', quiet: true, run: checkImports },
  {
    name: 'dead-code',
    what: 'dead code (knip)',
    quiet: true,
    run: (context) => runTool(context, 'knip', 'knip', []),
  },
  {
    name: 'unit',
    what: 'unit and API tests (Vitest)',
    quiet: false,
    needsWeb: true,
    run: runVitest,
  },
  {
    name: 'e2e',
    what: 'pages in a browser (Playwright)',
    quiet: false,
    needsWeb: true,
    run: runPlaywright,
  },
  { name: 'size', what: 'first-load size', quiet: true, needsWeb: true, run: checkSize },
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

/** Tools are started by Node itself: a link in node_modules/.bin would be a shell matter. */
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

/** The workspaces. */
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
  const { code, output } = await group.runNode([
    toolPath('dependency-cruiser', 'depcruise'),
    ...['--config', '.dependency-cruiser.cjs', ...sources],
  ]);
  if (code !== 0) return failedWith(output);
  // A parser that is not there makes it pass over every file, and still succeed.
  const cruised = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
  return cruised > 0 ? passed : failedWith(`No module was looked at.\n${output}`);
}

async function runVitest({ group, reportFolder }: StepContext): Promise<Outcome> {
  const report = join(reportFolder, 'vitest.json');
  const { code } = await group.runNode(
    [
      toolPath('vitest', 'vitest'),
      ...['run', '--allowOnly=false', '--reporter=default', '--reporter=json'],
      `--outputFile.json=${report}`,
    ],
    { show: true },
  );
  return readVitestReport(report, code);
}

async function runPlaywright({ group, reportFolder }: StepContext): Promise<Outcome> {
  const report = join(reportFolder, 'playwright.json');
  const { code } = await group.runNode(
    [
      toolPath('@playwright/test', 'playwright'),
      ...['test', '--config', 'e2e/playwright.config.ts'],
      ...['--forbid-only', '--reporter=list,json'],
    ],
    { show: true, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  );
  return readPlaywrightReport(report, code);
}

async function checkSize({ group }: StepContext): Promise<Outcome> {
  const { code, output } = await group.runNode([join(root, 'scripts', 'check-size.mjs')]);
  return { ...(code === 0 ? passed : failedWith(output)), note: output.trim() };
}
