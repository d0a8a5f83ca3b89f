import { listLines } from '@linekeeper/contract/lines/lines.ts';
import {
  readTicket,
  type Ticket,
  type TicketWithFiles,
} from '@linekeeper/contract/tickets/tickets.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '#domain/accounts/accounts.ts';
import { StatusBadge } from '#domain/lines/status.tsx';
import { conversationQuery, ticketQuery } from '#features/tickets/queries.ts';
import { ticketNumber } from '#features/tickets/ticket-looks.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { isGone } from '#platform/api/client.ts';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { Conversation } from './conversation.tsx';
import { ReplyForm } from './reply-form.tsx';
import { TicketFacts } from './ticket-facts.tsx';

export function TicketPage() {
  const { t } = useTranslation('tickets');
  const { id } = useParams({ from: '/shell/tickets/$id' });
  const { data: ticket, error, isPending, refetch } = useQuery(ticketQuery(id));
  // Ticket and conversation are fetched at the same time and shown together, so that the
  // conversation pushes nothing down.
  const { isLoading } = useInfiniteQuery(conversationQuery(id));
  if (ticket && !isGone(error)) {
    return isLoading ? <PageHeader {...headOf(ticket)} /> : <TicketView key={id} ticket={ticket} />;
  }
  return (
    <>
      <PageHeader title={t('field.ticket')} />
      {!isPending && (
        <Card>
          {isGone(error) ? (
            <FailedPanel
              error={error}
              action={
                <ButtonLink to="/tickets" variant="solid">
                  {t('nav.tickets')}
                </ButtonLink>
              }
            />
          ) : (
            <FailedPanel error={error} onRetry={refetch} />
          )}
        </Card>
      )}
    </>
  );
}

const headOf = (ticket: Ticket) => ({
  title: isolate(ticket.title),
  number: ticketNumber(ticket),
});

/** Marks a ticket as read while it is visible, also when new entries arrive. */
function useReading({ id, is_read, updated_at }: Ticket) {
  const { send } = useCommand(readTicket, {
    params: { id },
    refreshes: ['tickets'],
    isRepeatable: true,
    isSilent: true,
  });
  const read = useEffectEvent(() => {
    if (!document.hidden) void send();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `updated_at` marks the ticket as read again after each change
  useEffect(() => {
    if (is_read) return;
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [is_read, updated_at]);
}

function TicketView({ ticket }: { ticket: TicketWithFiles }) {
  const { is_admin } = useMe();
  useReading(ticket);
  return (
    <>
      <PageHeader {...headOf(ticket)} />
      <div className="grid grid-cols-[minmax(0,1fr)_304px] items-start gap-6 tablet:grid-cols-1 phone:gap-2 [&_dd_a]:text-primary [&_dd_a]:hover:underline phone:[&_dd_a]:-my-[11px] phone:[&_dd_a]:py-[11px]">
        <Card flush>
          <Conversation ticket={ticket} />
          <ReplyForm ticket={ticket} />
        </Card>
        <div className="grid grid-cols-1 gap-6 phone:gap-2">
          <TicketFacts ticket={ticket} />
          {is_admin && <OwnerCard ticket={ticket} />}
        </div>
      </div>
    </>
  );
}

const LINES_SHOWN = 5;

/** The query of the owner's newest lines, because most questions are about a line that was sold recently. */
const newestLinesQuery = (owner_id: string) =>
  callQuery('lines', listLines, { query: { owner_id, limit: LINES_SHOWN } });

/** The card of the ticket's owner, with balance and lines, so that administrators need not look for them. */
function OwnerCard({ ticket }: { ticket: Ticket }) {
  const { t, i18n } = useTranslation('tickets');
  const { data: account, error, refetch } = useQuery(accountQuery(ticket.user_id));
  const { data: lines } = useQuery(newestLinesQuery(ticket.user_id));
  const search = { owner: ticket.user_id };
  const number = (value: number | undefined) =>
    value === undefined ? '–' : formatNumber(value, i18n.language);
  const rows = [
    {
      label: t('field.balance'),
      value: t('credits.amount', { count: account?.credits ?? 0 }),
    },
    {
      label: t('nav.lines'),
      value: (
        <Link to="/users/all" search={search}>
          {number(account?.line_count)}
        </Link>
      ),
    },
    { label: t('facts.opened'), value: <Timestamp value={ticket.created_at} isDay /> },
    { label: t('facts.updated'), value: <Timestamp value={ticket.updated_at} isDay /> },
  ];
  return (
    <Card aria-label={t('field.account')}>
      <div className="flex items-center gap-3 mb-4 min-w-0 [&_a]:type-strong [&_a]:text-primary [&_a]:hover:underline phone:relative phone:[&_a::after]:content-[''] phone:[&_a::after]:absolute phone:[&_a::after]:inset-0">
        <Avatar accountId={ticket.user_id} name={ticket.user_name} />
        <span className="grid grid-cols-1 min-w-0 wrap-anywhere">
          <Link to="/accounts/$id" params={{ id: ticket.user_id }}>
            <TypedText>{ticket.user_name}</TypedText>
          </Link>
          {account && (
            <small>
              <TypedText>{account.email}</TypedText>
            </small>
          )}
        </span>
      </div>
      {error && !account && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {account && <SummaryRows look="bare" rows={rows} />}
      {lines && lines.items.length > 0 && (
        <ul
          className="grid gap-2 mt-4 pt-4 border-t border-t-divider [&_a]:text-primary [&_a]:hover:underline phone:gap-5.5 phone:[&_a]:-my-[11px] phone:[&_a]:py-[11px]"
          aria-label={t('nav.lines')}
        >
          {lines.items.map((line) => (
            <li
              className="flex items-center flex-wrap justify-between gap-y-1 gap-x-2 min-w-0 wrap-anywhere"
              key={line.id}
            >
              <Link to="/users/all" search={{ q: line.username }}>
                <TypedText>{line.username}</TypedText>
              </Link>
              <StatusBadge line={line} />
            </li>
          ))}
        </ul>
      )}
      <p className="mt-4 [&_a]:text-primary [&_a]:hover:underline phone:[&_a]:-my-[11px] phone:[&_a]:py-[11px]">
        <Link to="/tickets" search={{ account: ticket.user_id }}>
          {t('facts.ofAccount')}
        </Link>
      </p>
    </Card>
  );
}
