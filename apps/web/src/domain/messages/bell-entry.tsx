import type { NotificationKind } from '@linekeeper/contract/notifications.ts';
import { plainMarkdown } from '@linekeeper/contract/text/plain-markdown.ts';
import {
  CalendarClock,
  Clock,
  Coins,
  type LucideIcon,
  Mail,
  MapPin,
  MessageSquareReply,
  Server,
  ShieldAlert,
  TriangleAlert,
  UserPlus,
  Wallet,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Divided, Row } from '#kit/ui/vocabulary.tsx';
import styles from './bell-entry.module.css';
import { cutContent } from './notifications.ts';

interface Looks {
  Icon: LucideIcon;
  tone: 'primary' | 'success' | 'warning' | 'error' | 'info' | 'violet';
}

const looks: Record<NotificationKind, Looks> = {
  message: { Icon: Mail, tone: 'primary' },
  'chat-message': { Icon: MessageSquareReply, tone: 'info' },
  'order-placed': { Icon: Coins, tone: 'success' },
  mail: { Icon: Mail, tone: 'primary' },
  'friend-interactive': { Icon: UserPlus, tone: 'violet' },
};

/** The panel's own notifications are all of one kind; the link says how each looks. */
const looksOfMail: [path: string, Looks][] = [
  ['/users/all?server=', { Icon: Server, tone: 'warning' }],
  ['/users/tell/', { Icon: MapPin, tone: 'warning' }],
  ['/users', { Icon: CalendarClock, tone: 'warning' }],
  ['/cccam-servers', { Icon: TriangleAlert, tone: 'warning' }],
  ['/payments', { Icon: Wallet, tone: 'warning' }],
  ['/profile', { Icon: ShieldAlert, tone: 'error' }],
];

function looksOf(kind: NotificationKind, link: string | null): Looks {
  const about = kind === 'mail' && looksOfMail.find(([path]) => link?.startsWith(path));
  return about ? about[1] : looks[kind];
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
  const { Icon, tone } = looksOf(kind, link);
  return (
    <Row as="li" align="stretch" gap={16} phoneGap={12} data-unread={isUnread || undefined}>
      <BellIcon Icon={Icon} tone={tone} />
      <BellText>
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
      </BellText>
      {isUnread && <span className={styles.dot} aria-hidden="true" />}
    </Row>
  );
}

export function BellIcon({ Icon, tone }: { Icon: LucideIcon; tone?: Looks['tone'] | undefined }) {
  return (
    <span className={`centred ${styles.icon}`} data-tone={tone} aria-hidden="true">
      <Icon size={20} />
    </span>
  );
}

export function BellText({ children }: { children: ReactNode }) {
  return (
    <Caption as="div" grow wraps className={styles.text}>
      {children}
    </Caption>
  );
}
