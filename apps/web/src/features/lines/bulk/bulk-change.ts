import { bulkEditFields, MAX_MORE_DAYS } from '@linekeeper/contract/lines/bulk.ts';
import { lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { BulkBody } from '#domain/jobs/queries.ts';

export type PreviewedAction =
  | 'renew'
  | 'edit'
  | 'move'
  | 'change_plan'
  | 'suspend'
  | 'resume'
  | 'delete';

/** A bulk action with its details, without the lines. */
export type BulkChange = { [Action in PreviewedAction]: BulkChangeOf<Action> }[PreviewedAction];
export type BulkChangeOf<Action extends PreviewedAction> = Omit<
  Extract<BulkBody, { action: Action }>,
  'ids' | 'filter' | 'preview' | 'quoted_cost'
>;

/** Initial details of each action when its dialog opens. */
export const firstChanges: { [Action in PreviewedAction]: BulkChangeOf<Action> } = {
  renew: { action: 'renew' },
  edit: { action: 'edit' },
  move: { action: 'move' },
  change_plan: { action: 'change_plan', plan_id: '' },
  suspend: { action: 'suspend' },
  resume: { action: 'resume' },
  delete: { action: 'delete' },
};

const isDays = (days: number) => Number.isInteger(days) && days >= 1 && days <= MAX_MORE_DAYS;

/** True if at least one field will be changed. */
const isEdited = ({ action: _, ...fields }: BulkChangeOf<'edit'>) =>
  Object.values(fields).some((value) => value !== undefined);

/** True if all values that were entered for a bulk action are valid. */
export const isSound = (change: BulkChangeOf<'edit'>) =>
  bulkEditFields.every((field) => lineChanges.shape[field].safeParse(change[field]).success);

/** True once the details are complete enough for a preview. */
export function isComplete(change: BulkChange): boolean {
  switch (change.action) {
    case 'renew':
      return change.days === undefined
        ? change.subscription_months !== undefined
        : isDays(change.days);
    case 'edit':
      return isEdited(change) && isSound(change);
    case 'move':
      return change.server_id !== undefined || change.owner_id !== undefined;
    case 'change_plan':
      return change.plan_id !== '';
    default:
      return true;
  }
}

export interface ChoiceProps<T> {
  change: T;
  onChange: (change: T) => void;
}
