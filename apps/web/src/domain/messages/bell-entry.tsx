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

/** The look of the panel's own notifications, which are all of one kind, by the beginning of their link. */
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
  /** The time; undefined for a message that was not sent yet. */
  time?: string;
}

export function BellList({ children }: { children: ReactNode }) {
  return (
    <ul className="divided flex-1 min-h-0 overflow-y-auto [&>li]:relative [&>li]:py-3 [&>li]:px-5 [&>li]:phone:px-4 [&>li:hover]:bg-hover [&>li[data-unread]]:bg-selected">
      {children}
    </ul>
  );
}

export function BellEntry({ kind, link = null, isUnread, title, content, time }: BellEntryProps) {
  const { Icon, tone } = looksOf(kind, link);
  return (
    <li className="flex items-stretch gap-4 phone:gap-3" data-unread={isUnread || undefined}>
      <BellIcon Icon={Icon} tone={tone} />
      <BellText>
        <b>{title}</b>
        <p>
          <TypedText>{cutContent(plainMarkdown(content))}</TypedText>
        </p>
        {time && (
          <small className="flex items-center gap-1 mt-1">
            <Clock size={14} />
            <TimeAgo value={time} />
          </small>
        )}
      </BellText>
      {isUnread && (
        <span className="flex-none w-2 h-2 mt-[7px] rounded-[50%] bg-primary" aria-hidden="true" />
      )}
    </li>
  );
}

export function BellIcon({ Icon, tone }: { Icon: LucideIcon; tone?: Looks['tone'] | undefined }) {
  return (
    <span
      className="grid flex-none place-items-center w-10 h-10 border border-divider rounded-[50%] bg-paper text-neutral-fg [[data-unread]>&]:text-primary data-tone:border-tone-bg data-tone:bg-tone-bg data-tone:text-tone-fg"
      data-tone={tone}
      aria-hidden="true"
    >
      <Icon size={20} />
    </span>
  );
}

export function BellText({ children }: { children: ReactNode }) {
  return (
    <div className="flex-1 text-text-2 type-caption min-w-0 wrap-anywhere [&_b]:block [&_b]:text-text [&_b]:type-[500_14px/22px_var(--font)] [[data-unread]>&_b]:font-semibold [&_b>a]:font-semibold [[data-unread]>&_:is(p,small)]:text-neutral-fg">
      {children}
    </div>
  );
}
