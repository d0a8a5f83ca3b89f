import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { STEP_SECONDS, totpCode } from '../../domain/accounts/totp.ts';
import { TestClient, type TestReply } from '../client.ts';

interface Owner {
  id: string;
  email: string;
  password: string;
  client: TestClient;
}

/** Waits while fewer than this many seconds of a time step are left, so that no step ends in a test. */
const SECONDS_NEEDED = 8;

async function presentStep(db: Db): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from clock_timestamp())::float8 as seconds`.execute(db);
    const { seconds = 0 } = rows[0] ?? {};
    const left = STEP_SECONDS - (seconds % STEP_SECONDS);
    if (left >= SECONDS_NEEDED) return Math.floor(seconds / STEP_SECONDS);
    await new Promise((resolve) => setTimeout(resolve, left * 1000 + 100));
  }
}

/** The code that an authenticator app shows now, or some time steps later. */
export async function codeOf(db: Db, secret: string, later = 0): Promise<string> {
  return totpCode(secret, (await presentStep(db)) + later);
}

/** Forgets which codes were used, as if time had passed. */
export async function forgetUsedCodes(db: Db): Promise<void> {
  await db.updateTable('two_factor').set({ last_step: 0 }).execute();
}

/** Sets up an authenticator app, and turns two-factor sign-in on. */
export async function turnOn(db: Db, { client, password }: Owner) {
  const begun = await client.post('/api/auth/two-factor/enable', { password });
  const { secret, recovery_codes } = begun.body as { secret: string; recovery_codes: string[] };
  const code = await codeOf(db, secret);
  const verified = await client.post('/api/auth/two-factor/verify', { code });
  if (verified.status !== 200) throw new Error(`${verified.status} ${verified.body.message}`);
  await forgetUsedCodes(db);
  return { secret, recovery_codes };
}

/** Makes the first step of a sign-in. Returns the challenge. */
export async function challengeOf(
  url: string,
  { email, password }: Pick<Owner, 'email' | 'password'>,
) {
  const { body } = await new TestClient(url).signIn(email, password);
  return body.challenge as string;
}

/** Makes the second step of a sign-in. */
export function secondStep(
  client: TestClient,
  body: { challenge: string; code?: string; recovery_code?: string },
  headers: Record<string, string> = {},
): Promise<TestReply> {
  return client.send('POST', '/api/auth/two-factor/sign-in', body, headers);
}
