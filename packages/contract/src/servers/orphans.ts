import * as z from 'zod';
import { endpoint, entity } from '../endpoint.ts';
import { arrayOf, day, id, invalid, moment, userId } from '../fields/fields.ts';
import { linePassword, nameProblems } from '../fields/line-credentials.ts';
import { findingReply, optionalFinding, sync } from '../findings.ts';
import { listOf } from '../lists/list.ts';
import { orphansList } from '../lists/lists.ts';

/** Reasons for which a name cannot be adopted. */
const adoptionRefusals = [
  'ORPHAN_GONE',
  'ORPHAN_NAME_UNFIT',
  'ORPHAN_SERVER_AWAY',
  'ORPHAN_PASSWORD_UNKNOWN',
  'ORPHAN_EXPIRY_UNKNOWN',
  'USERNAME_EXISTS',
] as const;
export type AdoptionRefusal = (typeof adoptionRefusals)[number];

/** A username on a card server that the panel does not know there. */
export const orphan = entity('Orphan', {
  id: z.string(),
  server_id: z.string(),
  server_name: z.string(),
  username: z.string(),
  /** The expiry date; null if the server does not report one. */
  expiry_date: z.string().nullable(),
  found_at: moment,
  tells_password: z.boolean(),
  refusal: z.enum(['ORPHAN_NAME_UNFIT', 'USERNAME_EXISTS']).nullable(),
  can_remove: z.boolean(),
  /** The line with this name on another server. */
  line_id: z.string().nullable(),
  /** The reason why clients cannot send the whole name. The name may still be adopted, because its server has it. */
  name_problem: z.enum(nameProblems).nullable(),
});
export type Orphan = z.output<typeof orphan>;

export const listOrphans = endpoint('listOrphans', 'GET /api/sync/orphans', {
  summary: 'List accounts on card servers that the panel does not know',
  description: 'Lists the accounts that the last search found.',
  access: 'admin',
  ...listOf(orphansList, orphan),
});

export const lookForOrphans = endpoint('lookForOrphans', 'POST /api/sync/orphans/look', {
  hasLongStatements: true,
  summary: 'Search the card servers for unknown accounts',
  description: 'Searches every server in use. Each is asked at most once every few seconds.',
  access: 'admin',
  output: z.object({
    items: arrayOf({
      server_id: z.string(),
      server_name: z.string(),
      looked_at: moment.nullable(),
      /** The reason why the usernames could not be read; null if they were. */
      ...findingReply,
    }),
  }),
});

/** The maximum number of usernames that a card server is asked about in one call. */
export const MAX_ORPHANS_AT_ONCE = 100;

const ids = z
  .array(id('INVALID_VALUE'), invalid)
  .min(1, { error: 'REQUIRED' })
  .max(MAX_ORPHANS_AT_ONCE, { error: 'TOO_MANY_VALUES' });

export const adoptOrphans = endpoint('adoptOrphans', 'POST /api/sync/orphans/adopt', {
  hasLongStatements: true,
  summary: 'Adopt accounts of card servers as lines',
  description:
    'Creates lines from the accounts, free of charge and with the expiry they have. If you adopt a single one, a refusal has its reason.',
  access: 'admin',
  body: z.object({
    ids,
    owner_id: userId.optional(),
    /** The password, only for a request with one id; by default the server's. */
    password: linePassword.optional(),
    /** The expiry date, only for a request with one id; by default the server's. */
    expiry_date: day.optional(),
  }),
  output: z.object({
    items: arrayOf({
      id: z.string(),
      username: z.string(),
      server_id: z.string(),
      line_id: z.string().nullable(),
      /** The reason why the name was not adopted; null if it was. */
      refusal: z.enum(adoptionRefusals).nullable(),
    }),
    /** The result of the pushes that were needed: the first failure, if there was one. */
    sync,
    sync_finding: optionalFinding,
  }),
  needsIdempotencyKey: true,
  errors: [...adoptionRefusals, 'USER_NOT_FOUND', 'SERVER_NOT_FOUND'],
});

export const removeOrphans = endpoint('removeOrphans', 'POST /api/sync/orphans/remove', {
  summary: 'Remove unknown accounts from their card servers',
  description:
    'Removes the accounts. It keeps those that the panel has come to know, and those that may be the operator’s own (`can_remove`).',
  access: 'admin',
  body: z.object({ ids }),
  output: z.object({
    removed: z.number().int(),
    /** Result of the push if the request named exactly one account; null otherwise. */
    sync: sync.nullable(),
    sync_finding: optionalFinding,
  }),
  errors: ['ORPHAN_GONE', 'ORPHAN_KEPT', 'SERVER_NOT_FOUND'],
});
