import type { NotificationKind } from '@linekeeper/contract/notifications.ts';
import { plainMarkdown } from '@linekeeper/contract/text/plain-markdown.ts';
import {
  CalendarClock,
  Clock,
  Coins,
  type LucideIcon,
  Mail,
  MessageSquareReply,
  ShieldAlert,
  TriangleAlert,
  UserPlus,
  Wallet,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { cutContent } from '../../data/notifications.ts';
import { TimeAgo } from '../../ui/timestamp.tsx';
import { TypedText } from '../../ui/typed-text.tsx';
import { Caption, Divided, Row } from '../../ui/vocabulary.tsx';
import styles from './bell.module.css';

const icons: Record<NotificationKind, LucideIcon> = {
  message: Mail,
  'chat-message': MessageSquareReply,
  'order-placed': Coins,
  mail: Mail,
  'friend-interactive': UserPlus,
};

/** The panel's own notifications are all of one kind; the link says which icon fits. */
const iconsOfMail: [path: string, LucideIcon][] = [
  ['/users', CalendarClock],
  ['/cccam-servers', TriangleAlert],
  ['/payments', Wallet],
  ['/profile', ShieldAlert],
];

function iconOf(kind: NotificationKind, link: string | null): LucideIcon {
  const about = kind === 'mail' && iconsOfMail.find(([path]) => link?.startsWith(path));
  return about ? about[1] : icons[kind];
}

interface BellEntryProps {
  kind: NotificationKind;
  link?: string | null;
  isUnread: boolean;
  title: ReactNode;
  content: string;
  /** Left out where it is not sent yet. */
  time?: string;
}

export function BellList({ children }: { children: ReactNode }) {
  return <Divided className={styles.list}>{children}</Divided>;
}

export function BellEntry({ kind, link = null, isUnread, title, content, time }: BellEntryProps) {
  const Icon = iconOf(kind, link);
  return (
    <Row as="li" align="stretch" gap={16} phoneGap={12} data-unread={isUnread || undefined}>
      <span className={`centred ${styles.icon}`} aria-hidden="true">
        <Icon size={20} />
      </span>
      <Caption as="div" grow wraps className={styles.text}>
        <b>{title}</b>
        <p>
          <TypedText>{cutContent(plainMarkdown(content))}</TypedText>
        </p>
        {time && (
          <Row as="small" gap={4} above={4}>
            <Clock size={14} />
            <TimeAgo value={time} />
          </Row>
        )}
      </Caption>
      {isUnread && <span className={styles.dot} aria-hidden="true" />}
    </Row>
  );
}
