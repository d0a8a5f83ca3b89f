import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { months } from '../fields/line-fields.ts';
import { line, ofLine } from './lines.ts';

/**
 * Days before the last paid day on which the panel first tries to renew a line, so that there is time to correct a
 * failure.
 */
export const FIRST_TRY_DAYS = 1;
/** Days after the last paid day on which the panel still tries; later the line waits for a person. */
export const LAST_TRY_DAYS = 3;

export const setAutoRenewal = endpoint('setAutoRenewal', 'PUT /api/lines/{id}/auto-renew', {
  ...ofLine,
  summary: 'Turn automatic renewal of a line on or off',
  description:
    'Sets the months by which a line of your own renews itself, from the day before its last paid day, for the price of that day. Renewals stop at the credits that your preferences keep. Automatic renewal ends if the line gets another owner.',
  body: z.object({
    months: months.nullable(),
  }),
  output: z.object({ line }),
  errors: ['INVALID_SUBSCRIPTION_MONTHS', 'ACCOUNT_ENDED', 'OWNER_ONLY'],
});
