import type { Notification } from '@linekeeper/contract/notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { cutContent, notificationsQuery, useReadNotification } from '../notifications.ts';
import { toast } from '../ui/toasts/toast.ts';
import { badgeText } from '../unread.ts';

/** More at once are said in one. */
const ONE_BY_ONE = 3;

/**
 * Shows a toast for each notification that is new since the page was opened. The list is the truth, and
 * an event only the hint to read it again: so what was missed while the connection was cut is shown once
 * when it is back, and nothing is shown twice.
 */
export function useBellToasts(): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { mutate: markRead } = useReadNotification();
  const { data: newest } = useQuery(notificationsQuery());
  const known = useRef<Set<string>>(null);
  const show = useEffectEvent((notification: Notification) => {
    const { title, content, link } = notification;
    toast.info(title, {
      detail: cutContent(content),
      action: {
        label: t('bell.open'),
        onClick: () => {
          markRead(notification);
          void navigate({ href: link ?? '/messages' });
        },
      },
    });
  });
  const showMany = useEffectEvent((count: number) =>
    toast.info(t('bell.unread', { count, shown: badgeText(count) })),
  );

  useEffect(() => {
    if (!newest) return;
    const { current: before } = known;
    const fresh = newest.filter(({ id, is_read }) => !is_read && !before?.has(id));
    known.current = new Set([...(before ?? []), ...newest.map(({ id }) => id)]);
    if (!before) return;
    if (fresh.length > ONE_BY_ONE) showMany(fresh.length);
    else for (const notification of fresh.toReversed()) show(notification);
  }, [newest]);
}
