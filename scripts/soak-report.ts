import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const RESULT = join(import.meta.dirname, '../bench/soak.md');
const SERVER = 'apps/server/src';

/** The threats tested at full size, with their test files: in the server's folder, or by their whole path. */
const soakRows: { row: number; threat: string; files: string[] }[] = [
  {
    row: 1,
    threat: 'Double spend',
    files: ['features/lines/races.test.ts', 'process-tests/money-under-fire.test.ts'],
  },
  { row: 3, threat: 'Idempotency', files: ['features/lines/idempotency.test.ts'] },
  {
    row: 4,
    threat: 'Ledger against a model',
    files: ['features/credits/ledger-model.test.ts', 'features/credits/verify-ledger.test.ts'],
  },
  {
    row: 5,
    threat: 'kill -9',
    files: ['process-tests/crash.test.ts', 'process-tests/kills.soak.ts'],
  },
  { row: 6, threat: 'Server faults', files: ['features/lines/faults.test.ts'] },
  {
    row: 7,
    threat: 'Drift',
    files: ['features/lines/drift.test.ts', 'domain/delivery/settle.model.test.ts'],
  },
  {
    row: 8,
    threat: 'Requests to forbidden addresses',
    files: [
      'platform/http-client/address.test.ts',
      'security/outbound.test.ts',
      'security/hostile-hosts.test.ts',
    ],
  },
  { row: 19, threat: 'CSV', files: ['features/lines/csv.test.ts'] },
  { row: 23, threat: 'Uploads', files: ['process-tests/attachments.soak.ts'] },
  {
    row: 24,
    threat: 'Backup and key rotation',
    files: [
      'db/backup/backup.test.ts',
      'process-tests/backups/backup.test.ts',
      'process-tests/backups/rotate-key.test.ts',
    ],
  },
  {
    row: 25,
    threat: 'Migration',
    files: ['process-tests/two-starters.test.ts', 'process-tests/migration.soak.ts'],
  },
  {
    row: 26,
    threat: 'Shutdown, two instances',
    files: ['process-tests/shutdown.soak.ts', 'process-tests/one-folder.test.ts'],
  },
  {
    row: 31,
    threat: 'A database that falls silent',
    files: ['process-tests/database-silent.test.ts'],
  },
  {
    row: 27,
    threat: 'Realtime',
    files: ['security/realtime.test.ts', 'process-tests/bell-storm.test.ts'],
  },
  { row: 28, threat: 'An hour with little memory', files: ['process-tests/small-memory.soak.ts'] },
  {
    row: 30,
    threat: 'A primary that is lost',
    files: ['process-tests/standby.soak.ts'],
  },
  {
    row: 29,
    threat: 'An operator at the card server',
    files: ['apps/agent/src/files/random-saves.test.ts', 'process-tests/oscam-kills.test.ts'],
  },
];

export const files = soakRows.flatMap((row) =>
  row.files.map((file) => (file.startsWith('apps/') ? file : `${SERVER}/${file}`)),
);

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
