/** Each threat that is tried at full size, and the tests that try it. */
export const soakRows: { row: number; threat: string; files: string[] }[] = [
  {
    row: 1,
    threat: 'Double spend',
    files: ['features/lines/races.test.ts', 'process/money-under-fire.test.ts'],
  },
  { row: 3, threat: 'Idempotency', files: ['features/lines/idempotency.test.ts'] },
  {
    row: 4,
    threat: 'Ledger against a model',
    files: ['features/credits/ledger-model.test.ts', 'features/credits/verify-ledger.test.ts'],
  },
  { row: 5, threat: 'kill -9', files: ['process/crash.test.ts', 'process/kills.soak.ts'] },
  { row: 6, threat: 'Server faults', files: ['features/lines/faults.test.ts'] },
  { row: 7, threat: 'Drift', files: ['features/lines/drift.test.ts'] },
  {
    row: 8,
    threat: 'Requests to forbidden addresses',
    files: [
      'core/card-server/address.test.ts',
      'security/outbound.test.ts',
      'security/hostile-hosts.test.ts',
    ],
  },
  {
    row: 24,
    threat: 'Backup and key rotation',
    files: ['db/backup/backup.test.ts', 'process/backup.test.ts', 'process/rotate-key.test.ts'],
  },
  {
    row: 25,
    threat: 'Migration',
    files: ['process/two-starters.test.ts', 'process/migration.soak.ts'],
  },
  {
    row: 26,
    threat: 'Shutdown, two instances',
    files: ['process/shutdown.soak.ts', 'process/one-folder.test.ts'],
  },
];

const FOLDER = 'apps/server/src';

export const files = soakRows.flatMap((row) => row.files.map((file) => `${FOLDER}/${file}`));
