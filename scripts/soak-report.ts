import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const RESULT = join(import.meta.dirname, '../bench/soak.md');
const SERVER = 'apps/server/src';

/** Test files of the threats tested at full size: in the server's folder, or by their whole path. */
const threats: Record<string, string[]> = {
  '1 Double spend': ['features/lines/races.test.ts', 'process-tests/money-under-fire.test.ts'],
  '3 Idempotency': ['features/lines/idempotency.test.ts'],
  '4 Ledger against a model': [
    'features/credits/ledger-model.test.ts',
    'features/credits/verify-ledger.test.ts',
  ],
  '5 kill -9': ['process-tests/crash.test.ts', 'process-tests/kills.soak.ts'],
  '6 Server faults': ['features/lines/faults.test.ts'],
  '7 Drift': ['features/lines/drift.test.ts', 'domain/delivery/settle.model.test.ts'],
  '8 Requests to forbidden addresses': [
    'platform/http-client/address.test.ts',
    'security/outbound.test.ts',
    'security/hostile-hosts.test.ts',
  ],
  '19 CSV': ['features/lines/csv.test.ts'],
  '23 Uploads': ['process-tests/attachments.soak.ts'],
  '24 Backup and key rotation': [
    'db/backup/backup.test.ts',
    'process-tests/backups/backup.test.ts',
    'process-tests/backups/rotate-key.test.ts',
  ],
  '25 Migration': ['process-tests/two-starters.test.ts', 'process-tests/migration.soak.ts'],
  '26 Shutdown, two instances': [
    'process-tests/shutdown.soak.ts',
    'process-tests/one-folder.test.ts',
  ],
  '31 A database that falls silent': ['process-tests/database-silent.test.ts'],
  '27 Realtime': ['security/realtime.test.ts', 'process-tests/bell-storm.test.ts'],
  '28 An hour with little memory': ['process-tests/small-memory.soak.ts'],
  '30 A primary that is lost': ['process-tests/standby.soak.ts'],
  '29 An operator at the card server': [
    'apps/agent/src/files/random-saves.test.ts',
    'process-tests/oscam-kills.test.ts',
  ],
};

export const files = Object.values(threats)
  .flat()
  .map((file) => (file.startsWith('apps/') ? file : `${SERVER}/${file}`));

/**
 * Writes the results of a soak run, by threat, into bench/soak.md. A threat that this run did not
 * test keeps its last result.
 */
export default class SoakReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const kept = keptSections();
    const sections = Object.entries(threats).flatMap(([threat, files]) => {
      const own = modules.filter(({ moduleId }) => files.some((file) => moduleId.endsWith(file)));
      return own.length > 0 ? section(threat, own) : (kept.get(threat) ?? []);
    });
    const memory = Math.round(totalmem() / 2 ** 30);
    const head = `# Results of the long tests

Each section has the last run of its tests by \`npm run soak\`, on a machine with ${availableParallelism()} cores and
${memory} GiB. They ran at full size, with real PostgreSQL, the embedded database and whole processes.
`;
    writeFileSync(RESULT, `${[head, ...sections].join('\n').trimEnd()}\n`);
  }
}

function keptSections(): Map<string, string> {
  const text = existsSync(RESULT) ? readFileSync(RESULT, 'utf8') : '';
  const parts = text.split(/^## (?=\d)/m).slice(1);
  return new Map(parts.map((part) => [part.split('\n')[0] ?? '', `## ${part.trimEnd()}\n`]));
}

/** The measured figures of a test, beside its duration. */
function figuresOf(test: TestCase): string {
  const { figures = {} } = test.meta() as { figures?: Record<string, string> };
  const rows = Object.entries(figures).map(([name, value]) => `| ${name} | ${value} |`);
  if (rows.length === 0) return '';
  return `| ${test.parent.type === 'suite' ? test.parent.name : test.name} | |\n|---|---|\n${rows.join('\n')}\n`;
}

function section(threat: string, modules: TestModule[]): string {
  const lines = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => {
      const seconds = Math.round((test.diagnostic()?.duration ?? 0) / 100) / 10;
      return `| ${test.fullName.replaceAll('|', '\\|')} | ${test.result().state} | ${seconds} s |`;
    }),
  );
  const figures = modules.flatMap((module) => [...module.children.allTests()].map(figuresOf));
  const table = `| Test | Result | Time |\n|---|---|---|\n${lines.join('\n')}\n`;
  return `## ${threat}\n\n${[table, ...figures.filter(Boolean)].join('\n')}`;
}
