import { timeIn } from '@linekeeper/contract/dates.ts';
import { CLEAN_UP, cleanUpNightly } from './clean-up.ts';
import { withLongStatements } from './db/deadline.ts';
import { deleteExpiredTokens } from './domain/accounts/one-time-tokens.ts';
import { shortenSessionsAhead } from './domain/accounts/sessions.ts';
import { checkAllSeals } from './domain/audit/check-seals.ts';
import { sealRows } from './domain/audit/seal-chain.ts';
import { sealedTables } from './domain/audit/sealed-tables.ts';
import type { Services } from './domain/context/context.ts';
import { condenseChecks } from './domain/delivery/server-checks.ts';
import { sendUnfinishedJobs } from './domain/lines/jobs.ts';
import { queueNoticeMails } from './domain/mail/mail-notices.ts';
import { deleteOldNotifications } from './domain/notices/notify.ts';
import { deleteOldKeys } from './domain/use-cases/idempotency.ts';
import { deleteOldSpam } from './features/contact/store.ts';
import { deleteOldRenewals } from './features/lines/jobs/jobs-store.ts';
import { tidyTrialsMade } from './features/lines/price/trial-limits.ts';
import { REMIND, remindDaily } from './features/lines/remind/remind-daily.ts';
import { queueMessageMails } from './features/messages/message-mails.ts';
import { publishMessages } from './features/messages/publish-messages.ts';
import { deleteUnattached, reuseFreedSpace } from './features/tickets/attachments/store.ts';
import type { ScheduledJob } from './platform/jobs/scheduler.ts';
import { deleteEndedWindows } from './platform/rate-limit.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function tidyUp({ db, connection, jobQueue }: Services): Promise<void> {
  await Promise.all([
    deleteOldKeys(db),
    deleteEndedWindows(db),
    deleteExpiredTokens(db),
    deleteOldRenewals(db),
    condenseChecks(db),
    deleteOldNotifications(db),
    deleteOldSpam(db),
    deleteUnattached(db),
    shortenSessionsAhead(db),
    tidyTrialsMade(db),
    sendUnfinishedJobs(db, jobQueue),
  ]);
  await reuseFreedSpace(connection);
}

async function seal({ db, secrets, log }: Services, stopping: AbortSignal): Promise<void> {
  for (const table of sealedTables) {
    const last = await sealRows(db, table, secrets, () => stopping.aborted);
    if (last) log.info({ number: last.number, seal: last.seal }, `${table.rows} sealed`);
  }
}

/** All recurring jobs of the panel. */
export function scheduledJobs(services: Services): ScheduledJob[] {
  return [
    {
      name: 'tidy',
      every_seconds: 10 * MINUTE,
      work: () => withLongStatements(() => tidyUp(services)),
    },
    {
      name: 'seal',
      every_seconds: 5 * MINUTE,
      work: (stopping) => withLongStatements(() => seal(services, stopping)),
    },
    {
      name: 'check seals',
      every_seconds: DAY,
      work: () => withLongStatements(() => checkAllSeals(services)),
    },
    {
      name: REMIND,
      // Looks whether the hour has come; what is to be done is done once a day.
      every_seconds: 5 * MINUTE,
      work: (stopping) =>
        withLongStatements(async () => {
          const now = timeIn(services.config.time_zone);
          await remindDaily(services.db, now, () => stopping.aborted);
        }),
    },
    {
      name: CLEAN_UP,
      // Looks whether the hour has come.
      every_seconds: 5 * MINUTE,
      work: (stopping) => withLongStatements(() => cleanUpNightly(services, stopping)),
    },
    {
      name: 'publish messages',
      every_seconds: 15,
      work: async (stopping) => {
        await publishMessages(services);
        await queueMessageMails(services, () => stopping.aborted);
      },
    },
    {
      name: 'mail notices',
      every_seconds: MINUTE,
      work: async (stopping) => {
        await queueNoticeMails(services, () => stopping.aborted);
      },
    },
  ];
}
