import { type Notification, readNotification } from '@linekeeper/contract/notifications.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { cutContent, notificationsQuery, SHOWN_IN_BELL } from '#domain/messages/notifications.ts';
import { badgeText, unreadNotificationsQuery } from '#domain/messages/unread.ts';
import { outagesQuery } from '#domain/servers/outage-queries.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { useCan } from '#platform/data/session.ts';
import { results } from '#platform/state/results.ts';

const COUNT_RETRIES = 3;

interface Known {
  ids: ReadonlySet<string>;
  /** Time of the oldest notification in a full list. Older ones move up when a message is withdrawn. */
  since: string;
}

/**
 * Shows each new notification as a result in the header; several that arrive together are one
 * sentence. An event only makes the list be fetched again, and new entries are found by comparing
 * lists, so that none is missed while the connection was lost, and none is shown twice.
 */
export function useBellResults(): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const reading = useCommand(readNotification, {
    input: (id: string) => ({ params: { id } }),
    refreshes: ['notifications', 'messages'],
    isRepeatable: true,
    isSilent: true,
  });
  const { data: newest } = useQuery(notificationsQuery());
  const known = useRef<Known>(null);
  const hasStrip = useCan(['view_users']);
  /** The strip of outages shows the same until the server is back, with more details. */
  const isInStrip = async (link: string | null) => {
    if (!hasStrip || link === null) return false;
    const outages = await queryClient.fetchQuery(outagesQuery()).catch(() => null);
    return outages?.items.some(({ server_id }) => link.includes(server_id)) ?? false;
  };
  const show = ({ id, title, content, link }: Notification) =>
    results.info(title, {
      detail: cutContent(content),
      isFromBell: true,
      action: {
        label: t('bell.open'),
        onClick: () => {
          void reading.send(id);
          void navigate({ href: link ?? '/messages' });
        },
      },
    });
  const showMany = async () => {
    // Without the number, the sentence would differ from the badge.
    const { count } = await queryClient
      // The sentence is shown once, and the connection may be interrupted only for a moment.
      .fetchQuery({ ...unreadNotificationsQuery(), retry: COUNT_RETRIES })
      .catch(() => ({ count: 0 }));
    if (count > 0) {
      results.info(t('bell.unread', { count, shown: badgeText(count) }), { isFromBell: true });
    }
  };
  const showAll = useEffectEvent(async (fresh: readonly Notification[]) => {
    const inStrip = await Promise.all(fresh.map(({ link }) => isInStrip(link)));
    const [only, ...others] = fresh.filter((_, index) => !inStrip[index]);
    if (others.length > 0) await showMany();
    else if (only) show(only);
  });

  useEffect(() => {
    if (!newest) return;
    const { current: before } = known;
    const isNew = ({ id, created_at }: Notification) =>
      !before?.ids.has(id) && created_at >= (before?.since ?? '');
    const fresh = newest.filter((one) => !one.is_read && isNew(one));
    known.current = {
      ids: new Set([...(before?.ids ?? []), ...newest.map(({ id }) => id)]),
      since: newest.length < SHOWN_IN_BELL ? '' : (newest.at(-1)?.created_at ?? ''),
    };
    if (!before) return;
    void showAll(fresh);
  }, [newest]);
}
