import { type FileFault, faultText } from '@linekeeper/contract/files/faults.ts';
import type { FoundLine } from '@linekeeper/contract/files/found-line.ts';
import type { Job, JobItem } from '@linekeeper/contract/lines/bulk.ts';

/** A row that was never sent, because it cannot be read. */
function itemOf({ number, username }: FoundLine, fault: FileFault): JobItem {
  return {
    position: number,
    line_id: null,
    username: username.slice(0, 100),
    state: 'skipped',
    cost: 0,
    before: null,
    after: null,
    error: {
      code: fault.code,
      message: faultText(fault),
      data: fault.data,
      field: fault.field || null,
    },
    sync_state: null,
    sync_message: null,
    sync_finding: null,
  };
}

/** The panel's answer about the rows that were sent, with those that cannot be read among them. */
export function withUnreadable(job: Job, lines: readonly FoundLine[]): Job {
  const unreadable = lines.flatMap((line) => (line.fault ? [itemOf(line, line.fault)] : []));
  return {
    ...job,
    total: job.total + unreadable.length,
    skipped: job.skipped + unreadable.length,
    items: [...job.items, ...unreadable].sort((one, other) => one.position - other.position),
  };
}
