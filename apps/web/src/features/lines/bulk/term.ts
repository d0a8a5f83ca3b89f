import { prices } from '@linekeeper/contract/credits.ts';
import type { BulkBody } from '../../../shared/jobs/queries.ts';

export type PreviewedAction = 'renew' | 'edit' | 'move' | 'delete';

/** What is to be done, without the lines it is done to. */
export type Term = { [Action in PreviewedAction]: TermOf<Action> }[PreviewedAction];
export type TermOf<Action extends PreviewedAction> = Omit<
  Extract<BulkBody, { action: Action }>,
  'ids' | 'filter' | 'preview'
>;

/** What is chosen when the dialog opens. */
export const firstTerms: { [Action in PreviewedAction]: TermOf<Action> } = {
  renew: { action: 'renew', subscription_months: prices[0].months },
  edit: { action: 'edit' },
  move: { action: 'move' },
  delete: { action: 'delete' },
};

/** Whether there is something to do yet. */
export function isComplete(term: Term): boolean {
  switch (term.action) {
    case 'edit':
      return term.notes !== undefined || term.status !== undefined;
    case 'move':
      return term.server_id !== undefined || term.owner_id !== undefined;
    default:
      return true;
  }
}

export interface ChoiceProps<T> {
  term: T;
  onChange: (term: T) => void;
}
