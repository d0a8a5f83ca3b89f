import * as z from 'zod';
import { account, transfer, transferKinds, transferNote } from './accounts.ts';
import { endpoint, listQuery, page } from './endpoint.ts';
import { dayOr, id, userId } from './fields.ts';

/**
 * `balance_after` is the balance right after this transfer of one of its two accounts, which
 * `balance_of` names: the account that was filtered by; else the one who asks, where it took part; else
 * the giver, or the receiver where the giver is not one who asks may see. Both are null where that is
 * no counted balance: of the system accounts (issuance, sales) and of administrators.
 */
export const listedTransfer = transfer
  .extend({
    balance_after: z.number().int().nullable(),
    balance_of: z.string().nullable(),
  })
  .meta({ id: 'ListedTransfer' });
export type ListedTransfer = z.output<typeof listedTransfer>;

export const listTransfers = endpoint({
  name: 'listTransfers',
  method: 'GET',
  path: '/api/credits/transfers',
  summary: 'Movements of credits of the own subtree, newest first; all of them for administrators',
  access: 'account',
  query: listQuery(['created_at'], '-created_at', {
    account_id: userId.optional(),
    kind: z.enum(transferKinds).optional(),
    /** First and last day, in the panel's time zone. */
    from: dayOr('INVALID_VALUE').optional(),
    to: dayOr('INVALID_VALUE').optional(),
  }).omit({ q: true }),
  output: page(listedTransfer),
  errors: ['INVALID_CURSOR'],
});

export const refundTransfer = endpoint({
  name: 'refundTransfer',
  method: 'POST',
  path: '/api/credits/transfers/{id}/refund',
  summary: 'Give a sale or a renewal back to who paid it, once; the line stays as it is',
  access: 'admin',
  params: z.object({ id: id('TRANSFER_NOT_FOUND') }),
  body: z.object({ note: transferNote }),
  output: z.object({ account, transfer }),
  needsIdempotencyKey: true,
  errors: ['TRANSFER_NOT_FOUND', 'NOT_REFUNDABLE', 'ALREADY_REFUNDED'],
});

/**
 * What does not add up. `balance`: the stored balance of account `id` (`found`) is not what its
 * transfers make (`expected`). `negative`: it is below zero. `sum`: the balances, issuance and sales
 * are together not zero. `unknown_account`: transfers name an account there is not. `changed`,
 * `removed`, `inserted`: transfer `id` was altered after it was sealed, is gone, or came in among
 * sealed ones. `seal`: seal number `id` was not made by this panel from these transfers and the seal
 * before, or is missing.
 */
export const differenceKinds = [
  'balance',
  'negative',
  'sum',
  'unknown_account',
  'changed',
  'removed',
  'inserted',
  'seal',
] as const;

export const ledgerDifference = z.object({
  kind: z.enum(differenceKinds),
  id: z.string().nullable(),
  expected: z.number().int().nullable(),
  found: z.number().int().nullable(),
});
export type LedgerDifference = z.output<typeof ledgerDifference>;

/** Further ones are not listed. */
export const MAX_DIFFERENCES = 1000;

export const verifyLedger = endpoint({
  name: 'verifyLedger',
  method: 'GET',
  path: '/api/credits/verify',
  summary: 'Whether every balance is what its transfers make, and no sealed transfer was altered',
  access: 'admin',
  output: z.object({
    ok: z.boolean(),
    accounts: z.number().int(),
    transfers: z.number().int(),
    differences: z.array(ledgerDifference),
  }),
});
