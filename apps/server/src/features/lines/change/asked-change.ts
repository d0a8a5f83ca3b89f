import type { BulkEditField, OptInKind } from '@linekeeper/contract/lines/bulk.ts';
import type { LineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { AskedTerm } from '../price/price.ts';

/** The plan that lines will get, and the server if one was chosen. */
export interface AskedPlan {
  plan_id: string;
  server_id?: string | undefined;
}

/** A change requested for lines: the action of a job, with its arguments. */
export type AskedChange =
  | ({ action: 'renew'; include?: readonly OptInKind[] | undefined } & AskedTerm)
  | ({ action: 'edit' } & Pick<LineChanges, BulkEditField | 'status'>)
  | ({ action: 'move' } & Pick<LineChanges, 'owner_id' | 'server_id'>)
  | ({ action: 'change_plan' } & AskedPlan)
  | {
      action: 'suspend' | 'resume';
      reason?: string | undefined;
      /** The account whose ban suspends its lines, or resumes them once it is lifted. */
      ban_of?: string | undefined;
    }
  | { action: 'delete' }
  | { action: 'export' };
