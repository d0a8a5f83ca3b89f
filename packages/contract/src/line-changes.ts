import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { day, requiredText, serverId, userId } from './fields.ts';
import { changedPassword, changedUsername } from './line-credentials.ts';
import { descriptiveFields, isOneRenewalTerm, renewalTerm } from './line-fields.ts';
import { changedLine, lineId, sync } from './lines.ts';

const { host_port, status, ...texts } = descriptiveFields;

/** Empty or null takes a text away. */
const clearableTexts = {
  live_channel: texts.live_channel.nullable(),
  info: texts.info.nullable(),
  user_value: texts.user_value.nullable(),
  name: texts.name.nullable(),
  company: texts.company.nullable(),
  role: texts.role.nullable(),
  avatar_url: texts.avatar_url.nullable(),
  email: texts.email.nullable(),
  notes: texts.notes.nullable(),
};

export const lineChanges = z.object({
  username: changedUsername.optional(),
  password: changedPassword.optional(),
  protocol: requiredText('INVALID_VALUE', 32).optional(),
  expiry_date: day.optional(),
  owner_id: userId.optional(),
  server_id: serverId.optional(),
  host_port,
  status,
  ...clearableTexts,
});
export type LineChanges = z.output<typeof lineChanges>;

export const editLine = endpoint({
  name: 'editLine',
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  method: 'PATCH',
  path: '/api/lines/{id}',
  summary: 'Change a line; a later expiry is paid, what its server holds is pushed',
  access: ['view_users'],
  params: lineId,
  body: lineChanges,
  output: changedLine,
  needsIdempotencyKey: true,
  errors: [
    'LINE_NOT_FOUND',
    'USERNAME_EXISTS',
    'USERNAME_REQUIRED',
    'INVALID_EXPIRY_DATE',
    'INSUFFICIENT_CREDITS',
    'SERVER_NOT_FOUND',
    'NO_ACTIVE_CCCAM_SERVERS',
    'USER_NOT_FOUND',
    'ADMIN_ONLY_FIELD',
  ],
});

export const lineRenewal = z
  .object(renewalTerm)
  .refine(isOneRenewalTerm, { path: ['subscription_months'], error: 'MONTHS_OR_DATE' });

export const renewLine = endpoint({
  name: 'renewLine',
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  method: 'POST',
  path: '/api/lines/{id}/renew',
  summary: 'Sell more time, from the later of today and the expiry',
  access: ['view_users'],
  params: lineId,
  body: lineRenewal,
  output: changedLine,
  needsIdempotencyKey: true,
  errors: [
    'LINE_NOT_FOUND',
    'INSUFFICIENT_CREDITS',
    'INVALID_SUBSCRIPTION_MONTHS',
    'INVALID_EXPIRY_DATE',
    'MONTHS_OR_DATE',
  ],
});

export const deleteLine = endpoint({
  name: 'deleteLine',
  method: 'DELETE',
  path: '/api/lines/{id}',
  summary: 'Remove a line here and from its server; nothing is paid back',
  access: ['view_users'],
  params: lineId,
  output: z.object({ sync }),
  errors: ['LINE_NOT_FOUND'],
});
