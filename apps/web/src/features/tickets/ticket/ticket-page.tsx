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
import { Grid, Row, Stack, Text } from '#kit/ui/vocabulary.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { isGone } from '#platform/api/client.ts';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { InTurn, useDrawnInSlices } from '#platform/start/later.tsx';
import { Conversation } from './conversation.tsx';
import { ReplyForm } from './reply-form.tsx';
import styles from './ticket.module.css';
import { TicketFacts } from './ticket-facts.tsx';

export function TicketPage() {
  const { t } = useTranslation('tickets');
  const { id } = useParams({ from: '/shell/tickets/$id' });
  const { data: ticket, error, isPending, refetch } = useQuery(ticketQuery(id));
  // Fetched side by side and shown together, so that the conversation pushes nothing down.
  const { isLoading } = useInfiniteQuery(conversationQuery(id));
  const drawn = useDrawnInSlices(isLoading ? undefined : ticket);
  if (ticket && !isGone(error)) {
    return drawn ? <TicketView key={id} ticket={drawn} /> : <PageHeader {...headOf(ticket)} />;
  }
  return (
    <>
      <PageHeader title={t('ticket')} />
      {!isPending && (
        <Card>
          {isGone(error) ? (
            <FailedPanel
              error={error}
              action={
                <ButtonLink to="/tickets" variant="solid">
                  {t('title')}
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

/** A ticket is read while it is in sight, also when something comes in the meantime. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is read anew
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
      <Grid
        columns="minmax(0, 1fr) 304px"
        align="start"
        gap={24}
        single="tablet"
        phoneGap={8}
        className={styles.page}
      >
        <InTurn>
          <Card flush>
            <InTurn>
              <Conversation ticket={ticket} />
              <ReplyForm ticket={ticket} />
            </InTurn>
          </Card>
          <Stack gap={24} phoneGap={8}>
            <InTurn>
              <TicketFacts ticket={ticket} />
              {is_admin && <OwnerCard ticket={ticket} />}
            </InTurn>
          </Stack>
        </InTurn>
      </Grid>
    </>
  );
}

const LINES_SHOWN = 5;

/** Newest first: what is asked about is mostly what was sold last. */
const newestLinesQuery = (owner_id: string) =>
  callQuery('lines', listLines, { query: { owner_id, limit: LINES_SHOWN } });

/** The owner of the ticket, with balance and lines, so that nobody has to go and look. */
function OwnerCard({ ticket }: { ticket: Ticket }) {
  const { t, i18n } = useTranslation('tickets');
  const { data: account, error, refetch } = useQuery(accountQuery(ticket.user_id));
  const { data: lines } = useQuery(newestLinesQuery(ticket.user_id));
  const search = { owner: ticket.user_id };
  const number = (value: number | undefined) =>
    value === undefined ? '–' : formatNumber(value, i18n.language);
  const rows = [
    {
      label: t('facts.balance'),
      value: t('credits.amount', { count: account?.credits ?? 0 }),
    },
    {
      label: t('facts.lines'),
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
      <Row below={16} gap={12} className={styles.account}>
        <Avatar accountId={ticket.user_id} name={ticket.user_name} />
        <Stack as="span" wraps>
          <Link to="/accounts/$id" params={{ id: ticket.user_id }}>
            <TypedText>{ticket.user_name}</TypedText>
          </Link>
          {account && (
            <small>
              <TypedText>{account.email}</TypedText>
            </small>
          )}
        </Stack>
      </Row>
      {error && !account && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {account && <SummaryRows look="bare" rows={rows} />}
      {lines && lines.items.length > 0 && (
        <ul className={styles.lines} aria-label={t('facts.lines')}>
          {lines.items.map((line) => (
            <Row gap="4 8" wraps as="li" justify="between" wrap key={line.id}>
              <Link to="/users/all" search={{ q: line.username }}>
                <TypedText>{line.username}</TypedText>
              </Link>
              <StatusBadge line={line} />
            </Row>
          ))}
        </ul>
      )}
      <Text as="p" above={16} className={styles.others}>
        <Link to="/tickets" search={{ account: ticket.user_id }}>
          {t('facts.ofAccount')}
        </Link>
      </Text>
    </Card>
  );
}
