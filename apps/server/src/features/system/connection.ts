import { randomBytes } from 'node:crypto';
import type * as contract from '@linekeeper/contract/system.ts';
import { type connectionChecks, LATENCY_CALLS } from '@linekeeper/contract/system.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { hashPassword, verifyPassword } from '../../platform/keys/passwords.ts';
import { type Check, type Found, runChecks } from './check.ts';

type CheckName = (typeof connectionChecks)[number];

const LIVE_SECONDS = 3;

async function lookAtUsers(db: Db): Promise<Found> {
  const line = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return { data: { id: line?.id ?? null } };
}

/** The time within which this share of the calls was answered. */
function percentile(sorted: readonly number[], share: number): number {
  const at = Math.max(0, Math.ceil(sorted.length * share) - 1);
  return Math.round((sorted[at] ?? 0) * 100) / 100;
}

async function measureLatency(db: Db): Promise<Found> {
  const times: number[] = [];
  for (let call = 0; call < LATENCY_CALLS; call++) {
    const startedAt = performance.now();
    await sql`select id from users limit 1`.execute(db);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return {
    data: { p50: percentile(times, 0.5), p95: percentile(times, 0.95), calls: LATENCY_CALLS },
  };
}

/** The session or API key of this call is found, and a password is hashed and recognised. */
async function lookAtSignIn({ db, session_id, api_key_id }: Ctx): Promise<Found> {
  const found = await (session_id === null
    ? db.selectFrom('api_keys').select('id').where('id', '=', api_key_id)
    : db.selectFrom('auth_sessions').select('id').where('id', '=', session_id)
  ).executeTakeFirst();
  if (!found) return { finding: 'SESSION_NOT_FOUND' };
  const password = randomBytes(16).toString('hex');
  const isKnown = await verifyPassword(await hashPassword(password), password);
  return isKnown ? {} : { finding: 'SIGN_IN_BROKEN', data: { reason: 'argon2id' } };
}

export const getConnection: Action<typeof contract.getConnection> = (ctx) => {
  const { db, live } = ctx;
  const checks: Check<CheckName>[] = [
    { name: 'users', look: () => lookAtUsers(db), whenItThrows: 'LINES_NOT_READ' },
    { name: 'latency', look: () => measureLatency(db), whenItThrows: 'LINES_NOT_READ' },
    { name: 'sign_in', look: () => lookAtSignIn(ctx), whenItThrows: 'SIGN_IN_BROKEN' },
    {
      name: 'live',
      look: async () =>
        (await live.probe(LIVE_SECONDS * 1000))
          ? {}
          : { finding: 'LIVE_SILENT', data: { seconds: LIVE_SECONDS } },
    },
  ];
  return runChecks(checks);
};
