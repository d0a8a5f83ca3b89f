import type { BulkRequest } from '@linekeeper/contract/lines/bulk.ts';

type Asked<Request> = Request extends { action: 'import' }
  ? never
  : Omit<Request, 'ids' | 'filter' | 'preview' | 'quoted_cost'>;

/** A change requested for lines: the action of a job, with its arguments. */
export type AskedChange = Asked<BulkRequest> & {
  /** The account whose ban suspends its lines, or resumes them once it is lifted. */
  ban_of?: string | undefined;
};

/** The plan that lines will get, and the server if one was chosen. */
export type AskedPlan = Pick<
  Extract<AskedChange, { action: 'change_plan' }>,
  'plan_id' | 'server_id'
>;
