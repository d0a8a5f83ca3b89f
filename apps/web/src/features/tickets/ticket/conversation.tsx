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
import { Row, Stack, Strong, Text } from '#kit/ui/vocabulary.tsx';
import styles from './ticket.module.css';

/** The ticket itself, then what was answered and changed, oldest first. */
export function Conversation({ ticket }: { ticket: TicketWithFiles }) {
  const { t } = useTranslation('tickets');
  const { data, error, refetch, ...more } = useInfiniteQuery(conversationQuery(ticket.id));
  const lines = (data?.pages ?? []).flatMap(({ items }) => items).reverse();
  const named = useNamedLines([ticket.description, ...lines.map(({ content }) => content)]);
  return (
    <Stack
      as="section"
      gap={24}
      className={styles.conversation}
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
    </Stack>
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
  /** Lines that are named in it. */
  named: NamedInText | undefined;
  files: readonly Attachment[];
}

function Message(props: MessageProps) {
  const { accountId, name, at, look, isAdmin, content, named, files } = props;
  const { t } = useTranslation('tickets');
  return (
    <Row as="article" align="stretch" gap={16} wraps className={styles.message} data-look={look}>
      <Avatar accountId={accountId} name={name} />
      <Text as="div" grow>
        <Row gap="4 8" below={8} wraps as="header" wrap>
          <Strong>
            <TypedText>{name}</TypedText>
          </Strong>
          {isAdmin ? (
            <Badge tone="info">{t('isAdmin')}</Badge>
          ) : (
            look === 'owner' && <Badge tone="neutral">{t('isOwner')}</Badge>
          )}
          {look === 'note' && (
            <Badge tone="warning" icon={<EyeOff />}>
              {t('note')}
            </Badge>
          )}
          <small>
            <Timestamp value={at} />
          </small>
        </Row>
        <div className={styles.bubble}>
          {content && <Markdown text={content} named={named} keepsLines />}
          <AttachedFiles files={files} />
        </div>
      </Text>
    </Row>
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
    <Row
      as="p"
      align="baseline"
      gap={8}
      justify="center"
      muted
      caption
      wraps
      className={styles.event}
    >
      <ArrowRightLeft size={14} />
      <span>
        {text}, <TypedText>{line.user_name}</TypedText>, <Timestamp value={line.created_at} />
      </span>
    </Row>
  );
}
