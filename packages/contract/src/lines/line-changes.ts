import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  day,
  invalid,
  optionalText,
  planId,
  STORABLE,
  serverId,
  userId,
  yesOrNo,
} from '../fields/fields.ts';
import {
  changedPassword,
  changedUsername,
  MAX_CREDENTIAL_BYTES,
  nameProblems,
} from '../fields/line-credentials.ts';
import { changedLineDetails, givenCustomer } from '../fields/line-details.ts';
import {
  descriptiveFields,
  duration,
  isMonthsOrDate,
  mayShorten,
  quotedCost,
} from '../fields/line-fields.ts';
import { requiredName } from '../fields/names.ts';
import { givenPayment } from '../fields/payment.ts';
import { syncReply } from '../findings.ts';
import { changedLine, line, ofLine } from './lines.ts';

const { host_port, status } = descriptiveFields;

export const lineChanges = z.object({
  username: changedUsername.optional(),
  password: changedPassword.optional(),
  protocol: requiredName(32, 'INVALID_VALUE').optional(),
  expiry_date: day.optional(),
  owner_id: userId.optional(),
  server_id: serverId.optional(),
  plan_id: planId.optional(),
  host_port,
  status,
  sharing_exempt: yesOrNo.optional(),
  ...changedLineDetails,
  customer: givenCustomer,
});
export type LineChanges = z.output<typeof lineChanges>;

export const editLine = endpoint('editLine', 'PATCH /api/lines/{id}', {
  ...ofLine,
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  summary: 'Change a line',
  description:
    'Changes the fields that you send. A later expiry costs credits. Changes that concern the server are delivered to it. A `payment` of `paid` settles all that the customer owes; its amount counts for one debt only.',
  body: lineChanges.extend({ quoted_cost: quotedCost, payment: givenPayment }),
  output: changedLine,
  needsIdempotencyKey: true,
  errors: [
    'QUOTE_CHANGED',
    'ACCOUNT_ENDED',
    'LIMIT_OF_LINES',
    'NOT_BY_STATUS',
    'USERNAME_EXISTS',
    'NAME_TOO_LONG_FOR_CCCAM',
    'NAME_SHARES_FIRST_20',
    'TRIAL_DAILY_LIMIT_REACHED',
    'TRIAL_LIMIT_REACHED',
    'TRIAL_OF_NAME',
    'USERNAME_REQUIRED',
    'INVALID_EXPIRY_DATE',
    'INSUFFICIENT_CREDITS',
    'SERVER_NOT_FOUND',
    'SERVER_NOT_OF_PLAN',
    'PLAN_NOT_FOUND',
    'NO_ACTIVE_CCCAM_SERVERS',
    'SERVER_CLOSED',
    'SERVER_FULL',
    'USER_NOT_FOUND',
    'ADMIN_ONLY_FIELD',
    'ABOVE_ONLY_FIELD',
    'OWNER_ONLY',
  ],
});

export const changePlan = endpoint('changePlan', 'POST /api/lines/{id}/change-plan', {
  ...ofLine,
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  summary: "Change a line's plan",
  description:
    'Moves the line to the servers and rights of another plan. Its expiry date stays. The difference for the unused days is charged, or given back as far as you paid for them. A trial, and an expired line, cost nothing.',
  body: z.object({
    plan_id: planId,
    /**
     * The server, if the plan has several; by default the present one if possible, otherwise the
     * one that a new line would get.
     */
    server_id: serverId.optional(),
    quoted_cost: z.int(invalid).optional(),
  }),
  output: changedLine,
  needsIdempotencyKey: true,
  errors: [
    'ALREADY_SO',
    'QUOTE_CHANGED',
    'ACCOUNT_ENDED',
    'INSUFFICIENT_CREDITS',
    'PLAN_NOT_FOUND',
    'PLAN_NOT_OFFERED',
    'SERVER_NOT_FOUND',
    'SERVER_NOT_OF_PLAN',
    'NO_ACTIVE_SERVERS',
    'NO_SERVER_TAKES_LINES',
    'SERVER_CLOSED',
    'SERVER_FULL',
    'USERNAME_EXISTS',
    'NAME_TOO_LONG_FOR_CCCAM',
    'NAME_SHARES_FIRST_20',
    'TRIAL_OF_NAME',
  ],
});

const lineRenewal = z
  .object({
    ...duration,
    may_shorten: mayShorten,
    from_expiry_date: day.optional(),
    quoted_cost: quotedCost,
    payment: givenPayment,
  })
  .refine(isMonthsOrDate, { path: ['subscription_months'], error: 'MONTHS_OR_DATE' });

export const renewLine = endpoint('renewLine', 'POST /api/lines/{id}/renew', {
  ...ofLine,
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  summary: 'Renew a line',
  description: "Adds the paid months. They start at the line's expiry, or today if that is past.",
  body: lineRenewal,
  output: changedLine,
  needsIdempotencyKey: true,
  errors: [
    'LINE_CHANGED_SINCE',
    'QUOTE_CHANGED',
    'ACCOUNT_ENDED',
    'INSUFFICIENT_CREDITS',
    'INVALID_SUBSCRIPTION_MONTHS',
    'INVALID_EXPIRY_DATE',
    'WOULD_SHORTEN',
    'MONTHS_OR_DATE',
    'OWNER_ONLY',
  ],
});

export const suspensionReason = optionalText(500);
const ofSuspension = {
  ...ofLine,
  body: z.object({ reason: suspensionReason }),
  output: z.object({ line, ...syncReply }),
};

export const suspendLine = endpoint('suspendLine', 'POST /api/lines/{id}/suspend', {
  ...ofSuspension,
  summary: 'Suspend a line',
  description:
    'Removes the line from its server. Its username stays reserved, and its expiry does not change.',
  errors: ['ALREADY_SO', 'SUSPENDED_FROM_ABOVE'],
});

export const resumeLine = endpoint('resumeLine', 'POST /api/lines/{id}/resume', {
  ...ofSuspension,
  summary: 'Resume a suspended line',
  description: 'Adds the line back to its server, unless an account above suspended it.',
  errors: ['ALREADY_SO', 'SUSPENDED_FROM_ABOVE', 'NAME_SHARES_FIRST_20'],
});

export const deleteLine = endpoint('deleteLine', 'DELETE /api/lines/{id}', {
  ...ofLine,
  summary: 'Delete a line',
  description: 'Deletes the line and removes it from its server. Nothing is refunded.',
  errors: ['DELETING_NOT_ALLOWED'],
  output: z.object(syncReply),
});

export const undoLine = endpoint('undoLine', 'POST /api/lines/{id}/undo', {
  ...ofLine,
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  summary: 'Undo a line that was never on its server',
  description:
    'Deletes the line and refunds everything that was paid for it, at any time, until it is delivered. Only the account that paid can do this, or an administrator.',
  output: z.object({
    /** Credits that were refunded to the accounts that paid. */
    refunded: z.number().int(),
    credits: z.number().int(),
  }),
  errors: ['LINE_NOT_UNDOABLE'],
});

export const checkLineName = endpoint('checkLineName', 'POST /api/lines/check-name', {
  summary: 'Check whether a username can be sold',
  description: 'Checks whether the username is free, and if it is not, says why.',
  access: ['view_users'],
  body: z.object({
    username: changedUsername,
    /** The server; by default that of the line, or the server that a sale would choose. */
    server_id: serverId.optional(),
    /** The line that is to get the name; its present name counts as free. */
    line_id: userId.optional(),
  }),
  output: z.object({
    is_free: z.boolean(),
    /** The reason why a free name cannot be used on the server; null if it can. */
    problem: z.enum(nameProblems).nullable(),
  }),
  errors: ['USERNAME_REQUIRED', 'LINE_NOT_FOUND', 'SERVER_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
});

export const nextLineName = endpoint('nextLineName', 'GET /api/lines/next-name', {
  summary: 'Propose a username for a new line',
  description:
    'Proposes the prefix of your preferences, or your own name, with the number after the highest one that a line you can see has with it.',
  access: ['view_users'],
  query: z.object({
    /** A suggested name that was refused: the next suggestion has a higher number. */
    after: z.string().max(MAX_CREDENTIAL_BYTES).regex(STORABLE).optional(),
  }),
  output: z.object({ username: z.string() }),
});

export const proposeLineName = endpoint('proposeLineName', 'GET /api/lines/{id}/shorter-name', {
  ...ofLine,
  summary: 'Propose a shorter username',
  description:
    'Proposes a free username, similar to that of the line, that a CCcam client can send.',
  output: z.object({ username: z.string() }),
});
