import { messagesList } from '@linekeeper/contract/lists/lists.ts';
import { listMessages, type Message, readAllMessages } from '@linekeeper/contract/messages.ts';
import { plainMarkdown } from '@linekeeper/contract/text/plain-markdown.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { CheckCheck, Mail, Megaphone, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { unreadMessagesQuery } from '#domain/messages/unread.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { defineList } from '#kit/list/define-list.ts';
import { FilterChips } from '#kit/list/filters/filter-chips.tsx';
import { LinkedRows } from '#kit/list/linked-rows.tsx';
import { ListCard } from '#kit/list/list-body.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { SearchBox } from '#kit/list/search-box.tsx';
import { Toolbar } from '#kit/list/toolbar.tsx';
import { ListProvider, listLink, offering, useListSearch } from '#kit/list/use-list.ts';
import { ViewTabs } from '#kit/list/views/view-tabs.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { useDocumentTitle } from '#kit/page/use-screen.ts';
import { BackLink } from '#kit/ui/back-link.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { MessagePane } from './message-pane.tsx';
import { messageQuery } from './queries.ts';

const ROWS =
  '[--placeholder-at:44px_20px] [&>li]:min-h-25 [&>li]:py-3 [&>li]:ps-11 [&>li]:pe-4 [&>li]:border-t [&>li]:border-t-divider';
/** The look of the messages on a phone, each a separate card. */
const ROWS_ON_PHONE =
  'phone:grid phone:gap-2 phone:[&>li]:min-h-0 phone:[&>li]:ps-9 phone:[&>li]:border-0 phone:[&>li]:rounded-card phone:[&>li]:bg-paper phone:[&>li]:shadow-card';
const UNREAD =
  "before:content-[''] before:absolute before:start-6 before:top-[19px] before:w-2 before:h-2 before:rounded-[50%] before:bg-primary phone:before:start-4";

/** The page of messages, with the open one beside the list; on a phone either the list or the message. */
export function MessagesPage() {
  const { t } = useTranslation('messages');
  const { is_admin } = useMe();
  const { message: openId } = useSearch({ from: '/shell/messages' });
  const isPhone = useIsPhone();
  if (isPhone && openId) return <MessageAlone id={openId} />;
  return (
    <ListProvider value={messages}>
      <PageHeader actions={is_admin && <AddLink to="/messages/create">{t('create')}</AddLink>} />
      <div className="grid grid-cols-[376px_minmax(0,1fr)] items-stretch tablet:grid-cols-[320px_minmax(0,1fr)] small-tablet:grid-cols-1 small-tablet:gap-6">
        <div className="min-w-0 above-small-tablet:[&>section]:h-full above-small-tablet:[&>section]:[border-start-end-radius:0] above-small-tablet:[&>section]:[border-end-end-radius:0]">
          <ListCard label={t('nav.messages')} hasCards>
            <ViewTabs />
            <PagedList
              list={messages}
              toolbar={<MessagesToolbar />}
              firstUse={<NothingYet />}
              hasFooter={false}
            >
              {(rows) => (
                <LinkedRows {...rows} className={`${ROWS} ${ROWS_ON_PHONE}`} placeholders={4}>
                  {(message) => <MessageRow message={message} isOpen={message.id === openId} />}
                </LinkedRows>
              )}
            </PagedList>
          </ListCard>
        </div>
        {!isPhone && (
          <Card
            as="div"
            className="min-w-0 above-small-tablet:min-h-[min(720px,calc(100vh_-_192px))] above-small-tablet:py-6 above-small-tablet:px-8 above-small-tablet:border-s above-small-tablet:border-s-divider above-small-tablet:rounded-s-none"
          >
            {openId ? <MessagePane key={openId} id={openId} /> : <NothingOpen />}
          </Card>
        )}
      </div>
    </ListProvider>
  );
}

function MessageAlone({ id }: { id: string }) {
  const { t } = useTranslation('messages');
  const { data } = useQuery(messageQuery(id));
  useDocumentTitle(data && isolate(data.title));
  return (
    <>
      <BackLink to="/messages">{t('nav.messages')}</BackLink>
      <Card as="div">
        <MessagePane key={id} id={id} heading="h1" />
      </Card>
    </>
  );
}

/** The toolbar, in which all filters are views. */
function MessagesToolbar() {
  return (
    <>
      <Toolbar end={<ReadAllButton />}>
        <SearchBox />
      </Toolbar>
      <FilterChips />
    </>
  );
}

function ReadAllButton() {
  const { t } = useTranslation('messages');
  const { data: count = 0 } = useQuery(unreadMessagesQuery());
  const { send, isPending } = useCommand(readAllMessages, {
    refreshes: ['messages', 'notifications'],
    doneText: () => t('allRead'),
  });
  return (
    <IconButton
      label={t('bell.readAll')}
      disabled={count === 0 || isPending}
      onClick={() => void send()}
    >
      <CheckCheck size={20} aria-hidden="true" />
    </IconButton>
  );
}

function NothingYet() {
  const { t } = useTranslation('messages');
  return <EmptyPanel icon={<Megaphone />} title={t('nothing')} text={t('nothingText')} />;
}

function NothingOpen() {
  const { t } = useTranslation('messages');
  return (
    <div className="grid place-content-center justify-items-center gap-3 min-h-75 text-text-2 text-center">
      <Mail size={32} strokeWidth={1.4} aria-hidden="true" />
      <p>{t('choose')}</p>
    </div>
  );
}

/** Characters of the text that are drawn, more than fit into two rows. */
const EXCERPT = 200;

/** A row with a link to its message, which opens beside the list. */
function MessageRow({ message, isOpen }: { message: Message; isOpen: boolean }) {
  const { t } = useTranslation();
  const { search } = useListSearch();
  const { id, title, content, is_read, publish_at } = message;
  return (
    <li className={is_read ? '' : UNREAD} data-unread={!is_read || undefined}>
      <p className="flex items-baseline justify-between gap-3 [&_a]:min-w-0 [&_a]:text-text [&_a]:type-[500_14px/22px_var(--font)] [&_a]:wrap-anywhere [[data-unread]>&_a]:font-semibold">
        <Link
          {...listLink(messages, { ...search, message: id })}
          activeOptions={{ exact: true }}
          className="covers"
          aria-current={isOpen ? 'true' : undefined}
        >
          <TypedText>{title}</TypedText>
          {!is_read && <span className="visually-hidden"> {t('bell.isUnread')}</span>}
        </Link>
        <small className="flex-none">
          <TimeAgo value={publish_at} />
        </small>
      </p>
      <p className="text-text-2 type-caption line-clamp-2 wrap-anywhere">
        <TypedText>{plainMarkdown(content.slice(0, EXCERPT))}</TypedText>
      </p>
      <p className="flex items-center gap-1 mt-1 text-text-2 type-caption min-w-0 wrap-anywhere">
        <Recipient message={message} />
      </p>
    </li>
  );
}

function Recipient({ message: { is_global, recipient_name, server_name } }: { message: Message }) {
  const { t } = useTranslation('messages');
  const Icon = is_global || server_name ? Megaphone : UserRound;
  return (
    <>
      <Icon size={14} aria-hidden="true" />
      {is_global ? (
        t('everyone')
      ) : (
        <TypedText>{server_name ?? recipient_name ?? t('you')}</TypedText>
      )}
    </>
  );
}

function useFilters() {
  const { t } = useTranslation('messages');
  return {
    unread: offering(t('field.unread'), [
      { value: 'true', label: t('field.unread') },
      { value: 'false', label: t('state.read') },
    ]),
  };
}

export const messages = defineList(messagesList, {
  path: '/messages',
  queryKey: ['messages', 'list'],
  endpoint: listMessages,
  texts: 'messages',
  useFilters,
  viewTones: { unread: 'error' },
  // Only administrators can have such messages.
  viewsIfAny: ['scheduled', 'expired'],
  countsViews: true,
});
