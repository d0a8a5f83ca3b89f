import * as z from 'zod';
import { account, transfer, transferNote } from '../accounts/accounts.ts';
import { endpoint, entity, ofRecord, page } from '../endpoint.ts';
import { flag, id, moment } from '../fields/fields.ts';
import { csvOf, queryOf } from '../lists/list.ts';
import { transferKinds, transfersList } from '../lists/lists.ts';

/**
 * A transfer. `balance_after` is the balance after it of one of its two accounts, named in
 * `balance_of`: the account of the filter; otherwise the reader, if the reader is one of the two;
 * otherwise the sender, or the receiver if the reader may not see the sender. Both are null for
 * accounts without a counted balance: issuance, sales and administrators.
 */
const listedTransfer = entity('ListedTransfer', {
  ...transfer.shape,
  balance_after: z.number().int().nullable(),
  balance_of: z.string().nullable(),
  /** Names of accounts that the reader may see; null for others and system accounts. */
  from_name: z.string().nullable(),
  to_name: z.string().nullable(),
  actor_name: z.string().nullable(),
  line_exists: z.boolean(),
  /** The period that a sale or renewal paid for or that a refund refunds; null if unknown. */
  months: z.number().int().nullable(),
  /** The line's expiry date after this sale or renewal. */
  expiry_date: z.string().nullable(),
  /** The redeemed code, only for its redeemer and administrators, because it may have uses left. */
  code: z.string().nullable(),
  refunds: z.object({ kind: z.enum(transferKinds), created_at: moment }).nullable(),
  refunded_at: moment.nullable(),
  /**
   * The bundle of consecutive transfers of one job, if the request asks for bundles as one row:
   * this is its first transfer. `balance_after` is the balance after the last one in that case.
   */
  bundle: z.object({ count: z.number().int(), amount: z.number().int() }).nullable(),
  is_refundable: z.boolean(),
});
export type ListedTransfer = z.output<typeof listedTransfer>;

export const listTransfers = endpoint('listTransfers', 'GET /api/credits/transfers', {
  summary: 'List transfers of credits',
  description:
    "Lists the transfers of your own subtree, newest first. Administrators get all of them. `q` searches the note and the line's name.",
  access: 'account',
  query: queryOf(transfersList).extend({
    bundled: flag.optional(),
    bundle_id: id('INVALID_VALUE').optional(),
  }),
  output: page(listedTransfer),
});

export const transfersCsv = endpoint('transfersCsv', 'GET /api/credits/transfers/csv', {
  summary: 'Download the filtered list of transfers as CSV',
  description: 'Downloads every transfer with the balance after it.',
  access: 'account',
  ...csvOf(transfersList),
});

export const refundTransfer = endpoint(
  'refundTransfer',
  'POST /api/credits/transfers/{id}/refund',
  {
    ...ofRecord('admin', 'TRANSFER_NOT_FOUND'),
    summary: 'Refund a sale or a renewal',
    description: 'Returns the credits, once, to the account that paid. The line does not change.',
    body: z.object({ note: transferNote }),
    output: z.object({ account, transfer }),
    needsIdempotencyKey: true,
    errors: ['NOT_REFUNDABLE', 'ALREADY_REFUNDED'],
  },
);

/**
 * Kinds of inconsistency. `balance`: the stored balance of account `id` (`found`) differs from the sum of its
 * transfers (`expected`). `negative`: a balance is below zero. `sum`: all balances with issuance and sales do not add
 * up to zero. `unknown_account`: transfers name an account that does not exist. `changed`, `removed`, `inserted`:
 * transfer `id` was altered or deleted after it was sealed, or added among sealed ones. `seal`: seal number `id` is
 * missing, or was not made by this panel from these transfers and the seal before. `audit_…`: an inconsistency of
 * that kind among the sealed entries of the audit log.
 */
const ledgerDifference = z.object({
  kind: z.enum([
    'balance',
    'negative',
    'sum',
    'unknown_account',
    'changed',
    'removed',
    'inserted',
    'seal',
    'audit_changed',
    'audit_removed',
    'audit_inserted',
    'audit_seal',
  ]),
  id: z.string().nullable(),
  expected: z.number().int().nullable(),
  found: z.number().int().nullable(),
});
export type LedgerDifference = z.output<typeof ledgerDifference>;

/** Maximum number of differences listed. */
export const MAX_DIFFERENCES = 1000;

export const verifyLedger = endpoint('verifyLedger', 'GET /api/credits/verify', {
  takesBackupKey: true,
  hasLongStatements: true,
  summary: 'Verify the books',
  description:
    'Verifies that balances match their transfers and that no sealed transfer or audit entry was altered.',
  access: 'admin',
  output: z.object({
    ok: z.boolean(),
    accounts: z.number().int(),
    transfers: z.number().int(),
    differences: z.array(ledgerDifference),
  }),
});
