import { ECDH } from 'node:crypto';
import { describeBrowser } from '@linekeeper/contract/auth/describe-browser.ts';
import { mailedNotices, pushedNotices } from '@linekeeper/contract/lists/preferences.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import * as contract from '@linekeeper/contract/web-push.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { lockBalance } from '../../domain/accounts/accounts.ts';
import { holdSession } from '../../domain/accounts/sessions.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { pushChoices } from '../../domain/notices/notify.ts';
import type { Action, PlainMutation } from '../../domain/use-cases/use-case.ts';
import { hashOf, readPublicKey } from '../../domain/web-push/web-push-keys.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { chosenBy, vetHost, withinDeadline } from '../../platform/http-client/request.ts';
import { newId } from '../../platform/ids.ts';
import { sentRow } from '../../platform/rows.ts';

const { MAX_PUSH_SUBSCRIPTIONS } = contract;
const ownDevices = { notAudited: 'which of their browsers show somebody their notifications' };

/** The account's browsers whose sessions have not expired, newest first. */
async function readSubscriptions(db: Db, { actor, session_id }: Ctx) {
  const rows = await db
    .selectFrom('push_subscriptions')
    .innerJoin('auth_sessions', 'auth_sessions.id', 'session_id')
    .select(['push_subscriptions.id', 'push_subscriptions.created_at', 'user_agent', 'session_id'])
    .where('account_id', '=', actor.id)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('push_subscriptions.created_at', 'desc')
    .orderBy('push_subscriptions.id')
    .execute();
  return rows.map(({ user_agent, session_id: of_session, ...row }) => {
    const { name: browser, system } = describeBrowser(user_agent);
    return { ...sentRow(row), is_current: of_session === session_id, browser, system };
  });
}

export const readPush: Action<typeof contract.getPush> = async (ctx) => {
  const { db, actor } = ctx;
  const stored = await db
    .selectFrom('account_settings')
    .select(sql<unknown>`value -> 'pushes'`.as('pushes'))
    .where('account_id', '=', actor.id)
    .executeTakeFirst();
  const chosen = pushChoices(stored?.pushes);
  return {
    public_key: await readPublicKey(ctx),
    subscriptions: await readSubscriptions(db, ctx),
    kinds: pushedNotices.filter(
      (kind) =>
        chosen[kind] &&
        mailedNotices.some(({ name, push }) => name === kind && push && can(actor, push)),
    ),
  };
};

/** Refuses a subscription to which nothing can be sent: its push service may not be called, or its key is no key. */
async function refuseUnsound({ outbound }: Ctx, endpoint: string, p256dh: string): Promise<void> {
  const { hostname } = new URL(endpoint);
  const vetted = await withinDeadline(outbound, undefined, (signal) =>
    vetHost(chosenBy(outbound, { is_admin: false }), hostname, signal),
  );
  if (!vetted) failField('endpoint', 'PUSH_SERVICE_UNREACHABLE');
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
  } catch {
    failField('keys.p256dh', 'INVALID_VALUE');
  }
}

export const subscribe: PlainMutation<typeof contract.subscribeToPush, void> = {
  audit: ownDevices,
  prepare: (ctx, { body }) => refuseUnsound(ctx, body.endpoint, body.keys.p256dh),
  commit: async (tx, ctx, { body: { endpoint, keys } }) => {
    const { actor, secrets, session_id } = ctx;
    const hash = hashOf({ endpoint, keys });
    // Browsers that subscribe at the same time must not exceed the limit together.
    await lockBalance(tx, actor.id);
    await holdSession(tx, session_id);
    // A browser shows the notifications of one account only: the one that is signed in there now.
    await tx
      .deleteFrom('push_subscriptions')
      .where(({ eb, or, selectFrom }) =>
        or([
          eb('session_id', '=', session_id),
          eb('hash', '=', hash),
          eb.and([
            eb('account_id', '=', actor.id),
            eb(
              'session_id',
              'in',
              selectFrom('auth_sessions').select('id').where('expires_at', '<=', sql<Date>`now()`),
            ),
          ]),
        ]),
      )
      .execute();
    if ((await readSubscriptions(tx, ctx)).length >= MAX_PUSH_SUBSCRIPTIONS) {
      fail('TOO_MANY_PUSH_SUBSCRIPTIONS', { maximum: MAX_PUSH_SUBSCRIPTIONS });
    }
    const id = newId();
    const sealed = secrets.seal(JSON.stringify({ endpoint, keys }), id);
    await tx
      .insertInto('push_subscriptions')
      .values({ id, account_id: actor.id, session_id: session_id ?? '', sealed, hash })
      .execute();
    const made = (await readSubscriptions(tx, ctx)).find((one) => one.id === id);
    return made ?? fail('NO_AUTHENTICATED_USER');
  },
};

export const unsubscribe: PlainMutation<typeof contract.unsubscribeFromPush> = {
  audit: ownDevices,
  commit: async (tx, { actor, session_id }, { query: { id } }) => {
    await tx
      .deleteFrom('push_subscriptions')
      .where('account_id', '=', actor.id)
      .where(id ? 'id' : 'session_id', '=', id ?? session_id ?? '')
      .execute();
    return { success: true };
  },
};
