import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { yesOrNo } from '../fields/fields.ts';
import { account, ofAccount } from './accounts.ts';

export const previewBan = endpoint('previewBan', 'GET /api/accounts/{id}/ban', {
  ...ofAccount,
  hasLongStatements: true,
  summary: 'Preview a ban',
  description: 'Counts the lines that the ban can suspend, and those that lifting it can resume.',
  output: z.object({
    /**
     * Lines of the account and of all below it that are not suspended yet, and the number of accounts that have some.
     */
    lines: z.number().int(),
    accounts: z.number().int(),
    suspended: z.number().int(),
  }),
});

/** The account, and the jobs that suspend or resume its lines. */
const banned = z.object({ account, job_ids: z.array(z.string()) });
const ofBan = { ...ofAccount, hasLongStatements: true, output: banned } as const;

export const banAccount = endpoint('banAccount', 'POST /api/accounts/{id}/ban', {
  ...ofBan,
  summary: 'Ban an account',
  description:
    "Ends the account's sessions, links and event streams. The account can no longer sign in.",
  /** `suspend_lines` suspends the account's lines and those of all below it; it needs view_users. */
  body: z.object({ suspend_lines: yesOrNo.default(false) }),
  errors: ['INVALID_USER_ID', 'LAST_ADMIN', 'DAILY_LIMIT_REACHED'],
});

export const unbanAccount = endpoint('unbanAccount', 'POST /api/accounts/{id}/unban', {
  ...ofBan,
  summary: 'Lift a ban',
  description:
    'Allows the account to sign in again. With `resume_lines`, the lines that the ban suspended are resumed.',
  /**
   * `resume_lines` resumes the lines that the ban suspended, except those suspended again since; it needs view_users.
   */
  body: z.object({ resume_lines: yesOrNo.default(false) }),
  errors: ['INVALID_USER_ID', 'BANNED_FROM_ABOVE', 'DAILY_LIMIT_REACHED'],
});
