import {
  deleteMessage,
  type Message,
  type MessageDetails,
  readMessage,
} from '@linekeeper/contract/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Eye, Trash2 } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNamedLines } from '#domain/lines/named-lines.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { Markdown } from '#kit/markdown/markdown.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { formatDate, formatMoment } from '#platform/format/format-moment.ts';
import { results } from '#platform/state/results.ts';
import { messageQuery } from './queries.ts';

interface MessagePaneProps {
  id: string;
  /** The level of the title: a part of the list's page, or on a phone the page's own heading. */
  heading?: 'h1' | 'h2';
}

/** The text of one message, which is marked as read once it is shown. */
export function MessagePane({ id, heading: Heading = 'h2' }: MessagePaneProps) {
  const { t } = useTranslation('messages');
  const isPhone = useIsPhone();
  const { data: message, error, refetch } = useQuery(messageQuery(id));
  const reading = useCommand(readMessage, {
    params: { id },
    refreshes: ['messages', 'notifications'],
    isRepeatable: true,
    isSilent: true,
  });
  const markRead = useEffectEvent(() => void reading.send());
  const isUnread = message?.is_read === false;
  useEffect(() => {
    if (isUnread) markRead();
  }, [isUnread]);
  const isGone = error instanceof ApiError && error.code === 'MESSAGE_NOT_FOUND';
  if (isGone)
    return (
      <p className="grid place-content-center justify-items-center gap-3 min-h-75 text-text-2 text-center">
        {t('gone')}
      </p>
    );
  if (!message)
    return error && !message && <FailedPanel error={error} onRetry={() => void refetch()} />;
  const deletion = <DeleteMessage message={message} />;
  return (
    <article className="grid grid-cols-1 gap-4 min-w-0 [&_:is(h1,h2)]:type-[700_20px/28px_var(--font)]">
      <div className="flex items-start justify-between gap-4 [&>button]:-my-1">
        <Heading>
          <TypedText>{message.title}</TypedText>
        </Heading>
        {!isPhone && deletion}
      </div>
      <MessageFacts message={message} />
      <div className="mt-2 min-w-0 wrap-anywhere max-w-160" dir="auto">
        <MessageText>{message.content}</MessageText>
      </div>
      {isPhone && deletion}
    </article>
  );
}

/** The text of a message, in which names of lines become links. */
function MessageText({ children }: { children: string }) {
  return <Markdown text={children} named={useNamedLines([children])} keepsLines />;
}

function MessageFacts({ message }: { message: MessageDetails }) {
  const { t } = useTranslation('messages');
  const { read_count: read, reader_count: all } = message;
  const author = message.author_name ?? t('administrator');
  return (
    <div className="flex items-center flex-wrap gap-3 pb-4 border-b border-b-divider [&>div]:flex-[1_1_200px]">
      <Avatar accountId={null} name={author} />
      <div className="min-w-0 wrap-anywhere">
        <b className="type-strong">
          <TypedText>{author}</TypedText>
        </b>
        <p className="text-text-2 type-caption">{useFactsText(message)}</p>
      </div>
      {read !== null && all !== null && (
        <Badge tone="neutral" icon={<Eye size={16} />}>
          {t('readBy', { read, all })}
        </Badge>
      )}
    </div>
  );
}

/** Returns the recipients of a message, and the time for which it is shown. */
function useFactsText(message: MessageDetails): string {
  const { t, i18n } = useTranslation('messages');
  const { is_global, recipient_name, server_name, state, publish_at, expires_at } = message;
  const toOne = recipient_name ? t('toOne', { name: recipient_name }) : t('toYou');
  const toSome = server_name ? t('toServer', { name: server_name }) : toOne;
  const begin = formatMoment(publish_at, i18n.language);
  const end = expires_at && formatDate(expires_at, i18n.language);
  const ending = end && t(state === 'expired' ? 'endedOn' : 'until', { moment: end });
  return [
    is_global ? t('toEveryone') : toSome,
    state === 'scheduled' ? t('scheduledFor', { moment: begin }) : begin,
    ...(ending ? [ending] : []),
  ].join(' · ');
}

/**
 * The button that deletes a message: an icon next to the title, or on a phone a button with a text below the message.
 */
function DeleteMessage({ message }: { message: MessageDetails }) {
  const { t } = useTranslation('messages');
  const { is_admin } = useMe();
  const isPhone = useIsPhone();
  const [isDeleting, setDeleting] = useState(false);
  if (!is_admin) return null;
  const ask = () => setDeleting(true);
  return (
    <>
      {isPhone ? (
        <Button tone="danger" fullWidth icon={<Trash2 />} onClick={ask}>
          {t('delete.action')}
        </Button>
      ) : (
        <IconButton label={t('delete.action')} onClick={ask}>
          <Trash2 size={20} />
        </IconButton>
      )}
      {isDeleting && <DeleteMessageDialog message={message} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteMessageDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useTranslation('messages');
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/messages' });
  const deletion = useCommand(deleteMessage, {
    params: { id: message.id },
    refreshes: ['messages', 'notifications'],
  });
  return (
    <ConfirmAction
      command={deletion}
      tone="danger"
      title={t('askDelete', { name: message.title })}
      text={t('delete.text')}
      confirmLabel={t('delete.action')}
      done={() => {
        results.success(t('deleted', { name: message.title }));
        return navigate({ to: '/messages', search: { ...search, message: undefined } });
      }}
      onClose={onClose}
    />
  );
}
