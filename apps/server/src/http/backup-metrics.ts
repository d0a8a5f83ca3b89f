import client from 'prom-client';
import { readBackupState } from '../domain/backups/backup-runs.ts';
import type { Services } from '../domain/context/context.ts';
import { secondsBetween } from '../platform/jobs/schedule.ts';

/** Metrics of the backups by schedule, equal on every panel but for the schedule itself. */
export function collectBackupMetrics(
  registry: client.Registry,
  { config, db, log }: Services,
): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new client.Gauge({ name: `linekeeper_backup_${name}`, help, registers: [registry] });
  const interval = gauge(
    'interval_seconds',
    'Time between two backups of this panel’s schedule; 0 without one',
  );
  const made = gauge('last_made_timestamp_seconds', 'When the last backup was made; 0 if never');
  const bytes = gauge('last_made_bytes', 'Size of the last backup that was made');
  const failed = gauge('last_failed_timestamp_seconds', 'When a backup last failed; 0 if never');
  interval.set(config.backups ? secondsBetween(config.backups.schedule) : 0);
  return async () => {
    const state = await readBackupState(db).catch((error: unknown) => {
      log.error({ err: error }, 'the state of backups could not be read');
      return null;
    });
    made.set(state?.last_made ?? Number.NaN);
    bytes.set(state?.last_bytes ?? Number.NaN);
    failed.set(state?.last_failed ?? Number.NaN);
  };
}
