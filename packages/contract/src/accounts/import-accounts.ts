import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { invalid, optionalText, userId } from '../fields/fields.ts';
import { jobItem } from '../lines/bulk.ts';
import { MAX_IMPORT_ACCOUNTS } from '../lines/import-limits.ts';

/** The cells of a row about an account, as written in the file. An empty cell counts as absent. */
const accountRow = z.object({
  email: optionalText(5000),
  password: z.string(invalid).max(5000, { error: 'TOO_LONG' }).optional(),
  username: optionalText(5000),
  full_name: optionalText(5000),
  group: optionalText(5000),
  credits: optionalText(5000),
  owner: optionalText(5000),
  notes: optionalText(5000),
});
export type AccountRow = z.input<typeof accountRow>;

const importedAccount = z.object({
  position: z.number().int(),
  email: z.string(),
  /** `same` and `differs`: an account with the email exists already, and is never changed. */
  outcome: z.enum(['new', 'same', 'differs', 'refused']),
  owner_email: z.string().nullable(),
  credits: z.number().int(),
  differing: z.array(z.enum(['username', 'full_name', 'group', 'owner'])),
  error: jobItem.shape.error,
});
export type ImportedAccount = z.output<typeof importedAccount>;

export const importAccounts = endpoint('importAccounts', 'POST /api/accounts/import', {
  hasLongStatements: true,
  summary: 'Preview or import accounts with their credits',
  description:
    'Creates all new accounts, or none, and issues their credits. Accounts that exist stay as they are. With `preview` it stores nothing.',
  access: 'admin',
  body: z.object({
    preview: z.boolean().default(false),
    rows: z.array(accountRow).min(1, invalid).max(MAX_IMPORT_ACCOUNTS, invalid),
    row_numbers: z.array(z.int().min(1).max(10_000_000)).max(MAX_IMPORT_ACCOUNTS).optional(),
    only_valid: z.boolean().default(false),
    owner_id: userId.optional(),
  }),
  maxBodyBytes: 2 * 1024 * 1024,
  output: z.object({ items: z.array(importedAccount) }),
  needsIdempotencyKey: true,
  errors: [
    'LIMIT_OF_ACCOUNTS',
    'IMPORT_HAS_INVALID_ROWS',
    'USER_NOT_FOUND',
    'GROUP_NOT_FOUND',
    'EMAIL_EXISTS',
    'EMAIL_IN_FILE',
    'NOT_A_WHOLE_NUMBER',
    'PASSWORD_TOO_COMMON',
  ],
});
