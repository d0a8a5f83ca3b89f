import { linesList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { addressOf } from './address.ts';

/** Schema of the lines list's search parameters. */
export const linesSearch = addressOf(linesList, {
  /** Id of the job shown over the list, or 'recent' for the list of jobs. */
  job: z.string().max(40).optional().catch(undefined),
});
