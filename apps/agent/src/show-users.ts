import { Refusal } from './refusal.ts';
import type { Account, Store } from './store.ts';

/** Keeps a reply of the longest names and passwords below 64 KiB, the most that a panel reads. */
const USERS_SHOWN = 100;

/** The expiry date in the form of the API. */
export function expiryField({ expiry_date }: Pick<Account, 'expiry_date'>) {
  return { expiryDate: expiry_date.split('-').reverse().join('-') };
}

/** The accounts with these names and their passwords, for a panel that takes them over. */
export function showUsers(store: Store, { usernames }: Record<string, unknown>) {
  const areNames = Array.isArray(usernames) && usernames.every((name) => typeof name === 'string');
  if (!areNames || usernames.length > USERS_SHOWN) {
    throw new Refusal(400, `usernames must be a list of at most ${USERS_SHOWN} strings`);
  }
  const users = usernames.flatMap((username: string) => {
    const account = username.isWellFormed() ? store.find(username) : undefined;
    return account ? [{ username, password: account.password, ...expiryField(account) }] : [];
  });
  return { status: 200, body: { message: 'OK', users } };
}
