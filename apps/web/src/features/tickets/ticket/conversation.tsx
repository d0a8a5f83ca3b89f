import type { Attachment } from '@linekeeper/contract/tickets/attachments.ts';
import type { Ticket, TicketReply, TicketWithFiles } from '@linekeeper/contract/tickets/tickets.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowRightLeft, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNamedLines } from '#domain/lines/named-lines.ts';
import { AttachedFiles } from '#features/tickets/attachments/attached-files.tsx';
import { conversationQuery } from '#features/tickets/queries.ts';
import { Markdown } from '#kit/markdown/markdown.tsx';
import type { NamedInText } from '#kit/markdown/markdown-text.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

/** The conversation of a ticket, oldest first: its description, then replies, notes and changes. */
export function Conversation({ ticket }: { ticket: TicketWithFiles }) {
  const { t } = useTranslation('tickets');
  const { data, error, refetch, ...more } = useInfiniteQuery(conversationQuery(ticket.id));
  const lines = (data?.pages ?? []).flatMap(({ items }) => items).reverse();
  const named = useNamedLines([ticket.description, ...lines.map(({ content }) => content)]);
  return (
    <section
      className="grid grid-cols-1 gap-6 p-(--card-pad) [&>button]:justify-self-center"
      role="log"
      aria-label={t('conversation')}
    >
      <Message
        accountId={ticket.user_id}
        name={ticket.user_name}
        at={ticket.created_at}
        look="owner"
        isAdmin={ticket.user_is_admin}
        content={ticket.description}
        named={named}
        files={ticket.attachments}
      />
      {more.hasNextPage && (
        <Button
          variant="text"
          pending={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {t('earlier')}
        </Button>
      )}
      {lines.map((line) =>
        line.event ? (
          <Event key={line.id} line={line} event={line.event} />
        ) : (
          <Message
            key={line.id}
            accountId={line.user_id}
            name={line.user_name}
            at={line.created_at}
            look={lookOf(line, ticket)}
            isAdmin={line.is_admin}
            content={line.content}
            named={named}
            files={line.attachments}
          />
        ),
      )}
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
    </section>
  );
}

type Look = 'owner' | 'answer' | 'note';

function lookOf({ kind, user_id }: TicketReply, ticket: Ticket): Look {
  if (kind === 'note') return 'note';
  return user_id === ticket.user_id ? 'owner' : 'answer';
}

interface MessageProps {
  accountId: string;
  name: string;
  at: string;
  look: Look;
  isAdmin: boolean;
  content: string;
  /** Lines whose names occur in the text. */
  named: NamedInText | undefined;
  files: readonly Attachment[];
}

function Message(props: MessageProps) {
  const { accountId, name, at, look, isAdmin, content, named, files } = props;
  const { t } = useTranslation('tickets');
  return (
    <article
      className="flex items-stretch gap-4 min-w-0 wrap-anywhere [&>div]:max-w-150 [&_header>[data-tone]]:h-5 [&_header>[data-tone]]:py-0 [&_header>[data-tone]]:px-1.5 phone:[&>:first-child]:hidden"
      data-look={look}
    >
      <Avatar accountId={accountId} name={name} />
      <div className="flex-1 min-w-0">
        <header className="flex items-center flex-wrap gap-y-1 gap-x-2 mb-2 min-w-0 wrap-anywhere">
          <b className="type-strong">
            <TypedText>{name}</TypedText>
          </b>
          {isAdmin ? (
            <Badge tone="info">{t('isAdmin')}</Badge>
          ) : (
            look === 'owner' && <Badge tone="neutral">{t('field.owner')}</Badge>
          )}
          {look === 'note' && (
            <Badge tone="warning" icon={<EyeOff />}>
              {t('note')}
            </Badge>
          )}
          <small>
            <Timestamp value={at} />
          </small>
        </header>
        <div className="py-3 px-4 [border-radius:4px_12px_12px] bg-head [&>div]:type-body [[data-look=answer]_&]:bg-primary-soft [[data-look=note]_&]:bg-warning-bg phone:rounded-[12px]">
          {content && <Markdown text={content} named={named} keepsLines />}
          <AttachedFiles files={files} />
        </div>
      </div>
    </article>
  );
}

interface EventProps {
  line: TicketReply;
  event: NonNullable<TicketReply['event']>;
}

function useEventText() {
  const { t, i18n } = useTranslation('tickets');
  return ({ field, from, to }: EventProps['event']) => {
    if (field === 'assigned_to') {
      return to === null
        ? t('event.unassigned', { from: from ?? '' })
        : t('event.assigned_to', { to });
    }
    const named = (value: string | null) => {
      const key = `${field}.${value}`;
      return i18n.exists(`tickets:${key}`) ? t(key as 'status.open') : (value ?? '–');
    };
    return t(`event.${field}`, { from: named(from), to: named(to) });
  };
}

function Event({ line, event }: EventProps) {
  const text = useEventText()(event);
  return (
    <p className="flex items-baseline justify-center gap-2 text-text-2 type-caption min-w-0 wrap-anywhere [&_svg]:[transform:translateY(2px)]">
      <ArrowRightLeft size={14} />
      <span>
        {text}, <TypedText>{line.user_name}</TypedText>, <Timestamp value={line.created_at} />
      </span>
    </p>
  );
}
