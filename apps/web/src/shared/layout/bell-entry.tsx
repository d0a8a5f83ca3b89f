import type { NotificationKind } from '@linekeeper/contract/notifications.ts';
import {
  Clock,
  Coins,
  type LucideIcon,
  Mail,
  MessageSquareReply,
  TriangleAlert,
  UserPlus,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { cutContent } from '../notifications.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import { TypedText } from '../ui/typed-text.tsx';
import styles from './bell.module.css';

const icons: Record<NotificationKind, LucideIcon> = {
  message: Mail,
  'chat-message': MessageSquareReply,
  'order-placed': Coins,
  mail: TriangleAlert,
  'friend-interactive': UserPlus,
};

interface BellEntryProps {
  kind: NotificationKind;
  isUnread: boolean;
  title: ReactNode;
  content: string;
  /** Left out where it is not sent yet. */
  time?: string;
}

/** One notification as the bell shows it: a row of its list. */
export function BellEntry({ kind, isUnread, title, content, time }: BellEntryProps) {
  const Icon = icons[kind];
  return (
    <li data-unread={isUnread || undefined}>
      <span className={styles.icon} aria-hidden="true">
        <Icon size={20} />
      </span>
      <div className={styles.text}>
        <b>{title}</b>
        <p>
          <TypedText>{cutContent(content)}</TypedText>
        </p>
        {time && (
          <small>
            <Clock size={14} aria-hidden="true" />
            <TimeAgo value={time} />
          </small>
        )}
      </div>
      {isUnread && <span className={styles.dot} aria-hidden="true" />}
    </li>
  );
}
