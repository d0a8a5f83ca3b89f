import type { AuditAction } from '@linekeeper/contract/lists/audit-actions.ts';
import type { JobAction } from '../../../db/schema/job-schema.ts';
import { changeItems } from './change-items.ts';
import { deliverItems } from './deliver-items.ts';
import { importItems } from './import-items.ts';
import type { CarryOut, StoredJob } from './job-items.ts';
import { undoItems } from './undo-items.ts';

/** The functions that carry out a kind of job and audit it. */
export interface JobWork {
  /** The action of each item in the audit log, as for single lines; null if one entry is written for the whole job. */
  audit: AuditAction | null;
  carryOut: CarryOut;
  /** Items in one transaction; twenty by default. */
  items_at_once?: number;
  /** True if all remaining items fail when one is refused. */
  failsAsOne?: true;
  /** True if the job must be completed, even if its account is banned or loses permissions in the meantime. */
  isWhole?: true;
}

interface JobKind {
  /** True if the job can be undone as long as its lines have not changed since. */
  isUndoable: boolean;
  /** The work on the items; null if all of it is done when the job is stored. */
  work: JobWork | null;
}

const changes = (audit: AuditAction): JobWork => ({ audit, carryOut: changeItems });

/**
 * The kinds of jobs by action, each with its work and whether it can be undone. `work` is null for
 * actions that are completed with the request and only recorded as a job.
 */
export const jobKinds: Record<JobAction, JobKind> = {
  sell: { isUndoable: true, work: null },
  renew: { isUndoable: true, work: changes('line.renew') },
  edit: { isUndoable: true, work: changes('line.edit') },
  move: { isUndoable: true, work: changes('line.move') },
  readdress: { isUndoable: false, work: null },
  suspend: { isUndoable: true, work: changes('line.suspend') },
  resume: { isUndoable: true, work: changes('line.resume') },
  change_plan: { isUndoable: true, work: changes('line.change_plan') },
  edit_plan: {
    isUndoable: true,
    work: { audit: null, carryOut: deliverItems, items_at_once: 200, isWhole: true },
  },
  delete: { isUndoable: false, work: changes('line.delete') },
  import: {
    isUndoable: true,
    work: {
      audit: 'line.import',
      carryOut: importItems,
      items_at_once: 1000,
      failsAsOne: true,
    },
  },
  undo: { isUndoable: false, work: { audit: 'line.undo', carryOut: undoItems } },
  // An export has no work, because its lines are read when the file is downloaded.
  export: { isUndoable: false, work: null },
};

/** The work of a job. The undo of a plan's change delivers lines, like the change. */
export function workOf({ action, arguments: { undone } }: StoredJob): JobWork | null {
  return jobKinds[undone === 'edit_plan' ? 'edit_plan' : action].work;
}
