import * as contract from '@linekeeper/contract/system.ts';
import { type Db, transact } from '../../db/transaction.ts';
import type { Services } from '../../domain/context/context.ts';
import { notifyAdministrators } from '../../domain/notices/notify.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { compareVersions, version as own } from '../../platform/config/version.ts';
import { requestJson, targetOf } from '../../platform/http-client/request.ts';
import { daily } from '../../platform/jobs/schedule.ts';
import type { ScheduledJob } from '../../platform/jobs/scheduler.ts';
import { readKept, writeKept } from '../../platform/settings.ts';

/** The key of the row in `settings` that has the release which the feed last had. */
const KEY = 'newest_release';

const isLater = (version: string, than: string) => compareVersions(version, than) > 0;

/** The scheduled job that looks for a new version; an empty list without UPDATE_FEED. */
export function newVersionJob(services: Services): ScheduledJob[] {
  const { update_feed } = services.config;
  if (!update_feed) return [];
  return [
    {
      name: 'new version',
      when: daily('04:00'),
      run: ({ stopping }) => lookForNewVersion(services, update_feed, stopping),
    },
  ];
}

/** Notifies each administrator once of each version. A feed that is away or wrong is tried again the next day. */
async function lookForNewVersion(
  { db, log, outbound }: Services,
  feed: URL,
  stopping: AbortSignal,
): Promise<void> {
  const address = targetOf(new URL('release.json', feed).href);
  const reply = await requestJson(outbound, { ...address, method: 'GET' }, stopping);
  if (stopping.aborted) return;
  const complain = (reason: string) =>
    log.warn({ reason }, 'UPDATE_FEED has no release that can be read');
  if (reply.kind === 'unreachable') return complain(reply.reason);
  if (reply.status !== 200) return complain(`release.json: status ${reply.status}`);
  const { data: release } = contract.release.safeParse(reply.json);
  if (!release) return complain('release.json: no version, date and changelog');
  if (isLater(own, release.version)) complain(`${release.version} is older than this panel`);
  await transact(db, async (tx) => {
    await writeKept(tx, KEY, release);
    if (!isLater(release.version, own)) return;
    await notifyAdministrators(tx, {
      event: 'new_version',
      facts: { version: release.version, own },
      link: '/settings#version',
      said_once: `new_version:${release.version}`,
    });
  });
}

async function readNewer(db: Db) {
  const { data } = contract.release.safeParse(await readKept(db, KEY));
  return data && isLater(data.version, own) ? data : null;
}

export const getVersion: Action<typeof contract.getVersion> = async ({ db }) => ({
  version: own,
  newer: await readNewer(db),
});
