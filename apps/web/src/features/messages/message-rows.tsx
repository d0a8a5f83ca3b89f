import type { Message } from '@linekeeper/contract/messages.ts';
import { plainMarkdown } from '@linekeeper/contract/text/plain-markdown.ts';
import { Link } from '@tanstack/react-router';
import { Megaphone, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ShownRows } from '../../shared/list/list-rows.tsx';
import { listLink, useListSearch } from '../../shared/list/use-list.ts';
import { TimeAgo } from '../../shared/ui/time-ago.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Caption, Row } from '../../shared/ui/vocabulary.tsx';
import styles from './messages.module.css';
import { messages } from './messages-list.ts';

const BONES = ['a', 'b', 'c', 'd'];
/** More of it than two lines show is not drawn. */
const EXCERPT = 200;

interface MessageRowsProps extends ShownRows<Message> {
  openId: string | undefined;
}

/** Each row leads to its message, which opens beside the list. */
export function MessageRows({ rows, isInert, showsBones, openId }: MessageRowsProps) {
  if (!rows) {
    return (
      <ul className={styles.rows} aria-hidden="true" data-bones={showsBones || undefined}>
        {BONES.map((bone) => (
          <li key={bone} />
        ))}
      </ul>
    );
  }
  return (
    <ul className={styles.rows} inert={isInert}>
      {rows.map((message) => (
        <MessageRow key={message.id} message={message} isOpen={message.id === openId} />
      ))}
    </ul>
  );
}

function MessageRow({ message, isOpen }: { message: Message; isOpen: boolean }) {
  const { t } = useTranslation();
  const { search } = useListSearch();
  const { id, title, content, is_read, publish_at } = message;
  return (
    <li data-unread={!is_read || undefined} data-open={isOpen || undefined}>
      <Row as="p" align="baseline" gap={12} justify="between" className={styles.rowHead}>
        <Link
          {...listLink(messages, { ...search, message: id })}
          activeOptions={{ exact: true }}
          aria-current={isOpen ? 'true' : undefined}
        >
          <TypedText>{title}</TypedText>
          {!is_read && <span className="visually-hidden"> {t('bell.isUnread')}</span>}
        </Link>
        <small>
          <TimeAgo value={publish_at} />
        </small>
      </Row>
      <Caption as="p" className={styles.excerpt}>
        <TypedText>{plainMarkdown(content.slice(0, EXCERPT))}</TypedText>
      </Caption>
      <Row as="p" gap={4} muted caption className={styles.to}>
        <Recipient message={message} />
      </Row>
    </li>
  );
}

function Recipient({ message: { is_global, recipient_name } }: { message: Message }) {
  const { t } = useTranslation('messages');
  const Icon = is_global ? Megaphone : UserRound;
  return (
    <>
      <Icon size={14} aria-hidden="true" />
      {is_global ? t('everyone') : <TypedText>{recipient_name ?? t('you')}</TypedText>}
    </>
  );
}
