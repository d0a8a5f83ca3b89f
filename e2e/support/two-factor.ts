import { STEP_SECONDS, totpCode } from '../../apps/server/src/domain/accounts/totp.ts';
import { storeDirectly } from './database.ts';

/** The code of an authenticator app now, or on a phone whose clock is a time step ahead. */
export function codeOf(secret: string, later = 0): string {
  return totpCode(secret, Math.floor(Date.now() / 1000 / STEP_SECONDS) + later);
}

/** Forgets the used codes, as if half a minute had passed, so that the next code is another one. */
export async function forgetUsedCodes(email: string): Promise<void> {
  await storeDirectly([
    [
      `update two_factor set last_step = 0
        where account_id = (select id from auth_users where email = $1)`,
      [email],
    ],
  ]);
}
