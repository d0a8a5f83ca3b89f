import type { AuditAction } from '@linekeeper/contract/lists/audit-actions.ts';
import type { JobAction } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { writeAudit } from '../../../domain/audit/audit.ts';
import { lineFields } from '../change/plan.ts';
import type { Outcome } from './job-items.ts';
import type { JobRow } from './jobs-store.ts';

/** A successful row of a job. */
interface DoneRow extends Pick<Outcome, 'before' | 'after' | 'cost' | 'transfer_id' | 'input'> {
  line_id: string;
  username: string;
  /** Of a renewal, where the rows of a job differ in them. */
  months?: number;
}

/** Names of the acts, as for single lines. */
const actions: Record<JobAction, AuditAction> = {
  sell: 'line.create',
  renew: 'line.renew',
  edit: 'line.edit',
  move: 'line.move',
  readdress: 'line.edit',
  suspend: 'line.suspend',
  resume: 'line.resume',
  delete: 'line.delete',
  import: 'line.import',
  undo: 'line.undo',
  export: 'line.export',
};

/** An undo's refund is written down with the undo, though it waits for the card server. */
const costOf = ({ cost = 0, input }: Pick<DoneRow, 'cost' | 'input'>) =>
  input && 'owed' in input ? -input.owed : cost;

/** Writes one audit entry for each row, with the actor and address of the job's request. */
export async function auditRows(tx: Tx, job: JobRow, rows: readonly DoneRow[]): Promise<void> {
  const { id, account_id, address, request_id, action } = job;
  const { subscription_months, reason } = job.arguments;
  const asked = {
    ...(action === 'renew' && { months: subscription_months }),
    ...(reason ? { reason } : {}),
  };
  await writeAudit(
    tx,
    { actor_id: account_id, address, request_id },
    rows.map(({ line_id, username, before, after, transfer_id = null, months, ...row }) => ({
      action: actions[job.action],
      subject_type: 'line',
      subject_id: line_id,
      before: before ? lineFields(before) : null,
      after: after ? lineFields(after) : null,
      data: {
        ...{ username, job_id: id, cost: costOf(row), transfer_id },
        ...asked,
        ...(months !== undefined && { months }),
      },
    })),
  );
}
