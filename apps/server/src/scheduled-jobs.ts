import { reuseSpace } from './db/reuse-space.ts';
import type { Db } from './db/transaction.ts';
import { deleteExpiredTokens } from './domain/accounts/one-time-tokens.ts';
import { checkAllSeals } from './domain/audit/check-chain.ts';
import { cleanUpAudit } from './domain/audit/cut-chain.ts';
import { sealedTables, sealRows } from './domain/audit/seal-chain.ts';
import { scheduledBackup } from './domain/backups/scheduled-backup.ts';
import { copiesOfBackups } from './domain/backups/send-backup.ts';
import { condenseChecks } from './domain/checks/server-checks.ts';
import type { Services } from './domain/context/context.ts';
import { deleteOldNotifications } from './domain/notices/notify.ts';
import { tidyPresence } from './domain/presence/collect-presence.ts';
import { deleteOldKeys } from './domain/use-cases/idempotency.ts';
import { tellNearLimits } from './features/accounts/limits.ts';
import { deleteOldSpam } from './features/contact/inbox.ts';
import { renewDue } from './features/lines/auto-renewal/renew-due.ts';
import { endSuspensions, suspendShared } from './features/lines/change/suspend-shared.ts';
import { deleteOldJobs, deleteOldRenewals } from './features/lines/jobs/jobs-store.ts';
import { tidyTrialsMade } from './features/lines/price/trial-limits.ts';
import { hourOf, remindCustomers } from './features/lines/remind/remind-customers.ts';
import { remindOfExpiry } from './features/lines/remind/remind-of-expiry.ts';
import { publishMessages, queueMessageMails } from './features/messages/publish-messages.ts';
import { deleteEndedAwaited } from './features/servers/awaited/store.ts';
import { newVersionJob } from './features/system/new-version.ts';
import { deleteUnattached, reuseFreedSpace } from './features/tickets/attachments/store.ts';
import { deleteOldDeliveries, queueExpired } from './features/webhooks/webhook-loop.ts';
import { daily, every } from './platform/jobs/schedule.ts';
import type { ScheduledJob } from './platform/jobs/scheduler.ts';
import { deleteEndedWindows } from './platform/rate-limit.ts';
import { readSettings } from './platform/settings.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function tidyUp({ db, connection }: Services): Promise<void> {
  await Promise.all([
    deleteOldKeys(db),
    deleteEndedWindows(db),
    deleteExpiredTokens(db),
    deleteOldRenewals(db),
    condenseChecks(db),
    tidyPresence(db),
    deleteOldNotifications(db),
    deleteOldSpam(db),
    deleteUnattached(db),
    deleteEndedAwaited(db),
    tidyTrialsMade(db),
    deleteOldDeliveries(db),
  ]);
  await reuseFreedSpace(connection);
}

async function seal({ db, secrets, log }: Services, stopping: AbortSignal): Promise<void> {
  for (const table of sealedTables) {
    const last = await sealRows(db, { ...table, secrets }, () => stopping.aborted);
    if (last) log.info({ number: last.number, seal: last.seal }, `${table.rows} sealed`);
  }
}

/** Deletes data that is older than the settings keep. */
async function cleanUp(services: Services, stopping: AbortSignal): Promise<void> {
  const { config, connection, db } = services;
  const isStopping = () => stopping.aborted;
  await deleteOldJobs(db, config.job_keep_days, isStopping);
  await cleanUpAudit(services, isStopping);
  await reuseSpace(connection, ['jobs', 'job_items']);
}

async function readReminderTime(db: Db): Promise<string> {
  return `${(await readSettings(db)).reminder_hour}:00`;
}

/** All recurring jobs of the panel. */
export function scheduledJobs(services: Services): ScheduledJob[] {
  const { db } = services;
  return [
    { name: 'tidy', when: every(10 * MINUTE), run: () => tidyUp(services) },
    {
      name: 'suspend shared',
      when: every(15),
      run: ({ stopping }) => suspendShared(services, () => stopping.aborted),
    },
    {
      name: 'end suspensions',
      when: every(MINUTE),
      run: ({ stopping }) => endSuspensions(services, () => stopping.aborted),
    },
    { name: 'near limits', when: every(5 * MINUTE), run: () => tellNearLimits(db) },
    { name: 'seal', when: every(5 * MINUTE), run: ({ stopping }) => seal(services, stopping) },
    { name: 'check seals', when: every(DAY), run: () => checkAllSeals(services) },
    {
      name: 'remind',
      when: daily(readReminderTime),
      run: ({ day, stopping }) => remindOfExpiry(db, day, () => stopping.aborted),
    },
    {
      name: 'remind customers',
      when: every(5 * MINUTE),
      run: async ({ stopping }) => {
        const clock = { day: services.today(), hour: hourOf(services.config.time_zone) };
        await remindCustomers(services, clock, () => stopping.aborted);
      },
    },
    {
      name: 'renew lines',
      when: daily(readReminderTime),
      run: ({ day, stopping }) => renewDue(services, day, () => stopping.aborted),
    },
    {
      name: 'expired lines',
      when: daily('00:00'),
      run: ({ day }) => queueExpired(db, day, services.config.time_zone),
    },
    {
      name: 'clean up',
      when: daily('03:00'),
      run: ({ stopping }) => cleanUp(services, stopping),
    },
    {
      name: 'publish messages',
      when: every(15),
      run: async () => {
        await publishMessages(services);
        await queueMessageMails(services);
      },
    },
    ...scheduledBackup(services),
    ...copiesOfBackups(services),
    ...newVersionJob(services),
  ];
}
