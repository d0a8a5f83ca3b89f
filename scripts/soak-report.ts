import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { soakRows } from './soak-rows.ts';

const RESULT = join(import.meta.dirname, '../bench/soak.md');

/**
 * Writes the results of a soak run, by threat, into bench/soak.md. A threat that this run did not
 * test keeps its last result.
 */
export default class SoakReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const kept = keptSections();
    const sections = soakRows.flatMap(({ row, threat, files }) => {
      const own = modules.filter(({ moduleId }) => files.some((file) => moduleId.endsWith(file)));
      return own.length > 0 ? [section(row, threat, own)] : [kept.get(row) ?? []].flat();
    });
    const memory = Math.round(totalmem() / 2 ** 30);
    const head = `# Soak

What \`npm run soak\` found, for each threat on its last run, on a machine with ${availableParallelism()} cores and
${memory} GiB: real PostgreSQL, the embedded database and whole processes, at full size.
`;
    mkdirSync(dirname(RESULT), { recursive: true });
    writeFileSync(RESULT, `${[head, ...sections].join('\n').trimEnd()}\n`);
  }
}

function keptSections(): Map<number, string> {
  const text = existsSync(RESULT) ? readFileSync(RESULT, 'utf8') : '';
  return new Map(
    text
      .split(/^(?=## \d)/m)
      .slice(1)
      .map((part) => [Number(/^## (\d+)/.exec(part)?.[1]), `${part.trimEnd()}\n`]),
  );
}

interface Measured {
  figures?: Record<string, string>;
}

/** The figures of a test beside its duration. */
function figuresOf(test: TestCase): string {
  const rows = Object.entries((test.meta() as Measured).figures ?? {}).map(
    ([name, value]) => `| ${name} | ${value} |`,
  );
  if (rows.length === 0) return '';
  return `| ${test.parent.type === 'suite' ? test.parent.name : test.name} | |\n|---|---|\n${rows.join('\n')}\n`;
}

function section(row: number, threat: string, modules: TestModule[]): string {
  const lines = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => {
      const seconds = Math.round((test.diagnostic()?.duration ?? 0) / 100) / 10;
      return `| ${test.fullName.replaceAll('|', '\\|')} | ${test.result().state} | ${seconds} s |`;
    }),
  );
  const figures = modules.flatMap((module) => [...module.children.allTests()].map(figuresOf));
  const table = `| Test | Result | Time |\n|---|---|---|\n${lines.join('\n')}\n`;
  return `## ${row} ${threat}\n\n${[table, ...figures.filter(Boolean)].join('\n')}`;
}
