import {
  readTicket,
  type Ticket,
  type TicketWithFiles,
} from '@linekeeper/contract/tickets/tickets.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/client.ts';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { useMe } from '../../../shared/data/session.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { InTurn, useDrawnInSlices } from '../../../shared/start/later.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { conversationQuery, ticketQuery } from '../queries.ts';
import { ticketNumber } from '../ticket-looks.ts';
import { Conversation } from './conversation.tsx';
import { OwnerCard } from './owner-card.tsx';
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

/** Deleted, or never there for this account; a retry would not help. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 422].includes(error.status);
}

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
      <div className={styles.page}>
        <InTurn>
          <Card className={styles.talk ?? ''}>
            <InTurn>
              <Conversation ticket={ticket} />
              <ReplyForm ticket={ticket} />
            </InTurn>
          </Card>
          <div className={styles.aside}>
            <InTurn>
              <TicketFacts ticket={ticket} />
              {is_admin && <OwnerCard ticket={ticket} />}
            </InTurn>
          </div>
        </InTurn>
      </div>
    </>
  );
}
