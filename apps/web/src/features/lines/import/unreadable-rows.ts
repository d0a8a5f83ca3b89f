import type { Job, JobItem } from '@linekeeper/contract/lines/bulk.ts';
import type { Mapping } from '@linekeeper/line-files/csv-columns.ts';
import type { FileFault } from '@linekeeper/line-files/faults.ts';
import type { FoundLine } from '@linekeeper/line-files/found-line.ts';
import { faultError } from './row-reason.ts';

/** The item of a row that was not sent, because it cannot be read. */
function itemOf({ number, username }: FoundLine, fault: FileFault): JobItem {
  return {
    position: number,
    line_id: null,
    username: username.slice(0, 100),
    state: 'skipped',
    cost: 0,
    before: null,
    after: null,
    error: faultError(fault),
    sync_state: null,
    sync_message: null,
    sync_finding: null,
    owner_email: null,
  };
}

/** Rewrites an error about a missing term. If the file has no column of months, the row lacks an expiry date. */
function speakingOfDay(item: JobItem): JobItem {
  if (item.error?.code !== 'TRIAL_OR_SUBSCRIPTION') return item;
  const fault: FileFault = { field: 'expiry_date', code: 'DAY_MISSING', data: {} };
  return { ...item, error: faultError(fault) };
}

/** The result of the rows that were sent to the panel, with the rows that cannot be read in their places. */
export function withUnreadable(job: Job, lines: readonly FoundLine[], mapping: Mapping): Job {
  const hasTerms = mapping.includes('subscription_months') || mapping.includes('is_trial');
  const answered = hasTerms ? job.items : job.items.map(speakingOfDay);
  const unreadable = lines.flatMap((line) => (line.fault ? [itemOf(line, line.fault)] : []));
  return {
    ...job,
    total: job.total + unreadable.length,
    skipped: job.skipped + unreadable.length,
    items: [...answered, ...unreadable].sort((one, other) => one.position - other.position),
  };
}
