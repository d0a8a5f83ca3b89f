import { listLines } from '@linekeeper/contract/lines/lines.ts';
import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { accountQuery } from '../../../shared/data/accounts.ts';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { StatusBadge } from '../../../shared/lines/status.tsx';
import { NotOnServer } from '../../../shared/lines/sync.tsx';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { SummaryRows } from '../../../shared/ui/summary-rows.tsx';
import { Timestamp } from '../../../shared/ui/timestamp.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Row } from '../../../shared/ui/vocabulary.tsx';
import styles from './ticket.module.css';

const LINES_SHOWN = 5;

/** Newest first: what is asked about is mostly what was sold last. */
function newestLinesQuery(owner_id: string) {
  return queryOptions({
    queryKey: ['lines', 'newest', owner_id],
    queryFn: ({ signal }) =>
      call(listLines, { query: { owner_id, limit: LINES_SHOWN } }, { signal }),
  });
}

/** Whose ticket it is, with balance and lines, so that nobody has to go and look. */
export function OwnerCard({ ticket }: { ticket: Ticket }) {
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
      <Row gap={12} className={styles.account}>
        <Avatar accountId={ticket.user_id} name={ticket.user_name} />
        <span>
          <Link to="/accounts/$id" params={{ id: ticket.user_id }}>
            <TypedText>{ticket.user_name}</TypedText>
          </Link>
          {account && (
            <small>
              <TypedText>{account.email}</TypedText>
            </small>
          )}
        </span>
      </Row>
      {error && !account && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {account && <SummaryRows look="bare" rows={rows} />}
      {lines && lines.items.length > 0 && (
        <ul className={styles.lines} aria-label={t('facts.lines')}>
          {lines.items.map((line) => (
            <li key={line.id}>
              <Link to="/users/all" search={{ q: line.username }}>
                <TypedText>{line.username}</TypedText>
              </Link>
              {line.sync_state === 'failed' ? (
                <NotOnServer line={line} />
              ) : (
                <StatusBadge line={line} />
              )}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.others}>
        <Link to="/tickets" search={{ account: ticket.user_id }}>
          {t('facts.ofAccount')}
        </Link>
      </p>
    </Card>
  );
}
