const FOLDER = 'apps/server/src';
const AGENT_FOLDER = 'apps/agent/src';

/** The threats tested at full size, with their test files: in FOLDER, or with a folder of their own. */
export const soakRows: { row: number; threat: string; files: string[] }[] = [
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
  { row: 7, threat: 'Drift', files: ['features/lines/drift.test.ts'] },
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
    files: [`${AGENT_FOLDER}/files/random-saves.test.ts`],
  },
];

export const files = soakRows.flatMap((row) =>
  row.files.map((file) => (file.startsWith(AGENT_FOLDER) ? file : `${FOLDER}/${file}`)),
);
