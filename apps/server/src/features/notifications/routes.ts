import * as contract from '@linekeeper/contract/notifications.ts';
import * as push from '@linekeeper/contract/web-push.ts';
import { markAllMessagesRead, markMessageRead } from '../../domain/notices/messages.ts';
import { type PlainMutation, route } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { readPush, subscribe, unsubscribe } from './push-subscriptions.ts';
import { countUnread, listNotifications } from './store.ts';

const readingIsOnesOwn = { notAudited: 'what somebody has read is nobody else’s' };

const readNotification: PlainMutation<typeof contract.readNotification> = {
  audit: readingIsOnesOwn,
  commit: async (tx, { actor }, { params: { id } }) => {
    const found = await tx
      .updateTable('notifications')
      .set({ is_read: true })
      .where('id', '=', id)
      .where('account_id', '=', actor.id)
      .returning('id')
      .executeTakeFirst();
    if (!found && !(await markMessageRead(tx, actor.id, id))) fail('NOTIFICATION_NOT_FOUND');
    return { success: true };
  },
};

const readAllNotifications: PlainMutation<typeof contract.readAllNotifications> = {
  audit: readingIsOnesOwn,
  commit: async (tx, { actor }) => {
    await tx
      .updateTable('notifications')
      .set({ is_read: true })
      .where('account_id', '=', actor.id)
      .where('is_read', '=', false)
      .execute();
    await markAllMessagesRead(tx, actor.id);
    return { success: true };
  },
};

export const notificationRoutes = [
  route(contract.listNotifications, ({ db, actor }, { query }) =>
    listNotifications(db, actor.id, query),
  ),
  route(contract.countUnreadNotifications, async ({ db, actor }) => ({
    count: await countUnread(db, actor.id),
  })),
  route(contract.readNotification, readNotification),
  route(contract.readAllNotifications, readAllNotifications),
  route(push.getPush, readPush),
  route(push.subscribeToPush, subscribe),
  route(push.unsubscribeFromPush, unsubscribe),
];
