import type { Figure } from '@linekeeper/contract/dashboard.ts';
import { daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RenewButton } from '#domain/lines/actions.tsx';
import { expiryTone, expiryWords } from '#domain/lines/expiry.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useServerName } from '#domain/lines/sync.tsx';
import { usePriceOf } from '#domain/prices/prices.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Divided, Row, Stack } from '#kit/ui/vocabulary.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { useDrawnInSlices } from '#platform/start/later.tsx';
import { useFigureText } from './change.tsx';
import styles from './dashboard.module.css';

const expiringLines = () =>
  callQuery('lines', listLines, {
    query: { expires_within: 7, with_below: 'false', sort: 'expiry_date', limit: 5 },
  });

/** The lines that expire first, to be renewed at once. */
export function RenewNextCard({ expiring }: { expiring: Figure }) {
  const { t } = useTranslation('dashboard');
  const { is_admin } = useMe();
  const figureText = useFigureText();
  const price = usePriceOf()(1);
  const { data: fetched, error, refetch } = useQuery(expiringLines());
  const data = useDrawnInSlices(fetched);
  const cost = !is_admin && price !== undefined && expiring.total > 0 && (
    <>
      {', '}
      {t('renewNext.cost', { cost: t('credits.amount', { count: price }) })}
    </>
  );
  return (
    <Card
      flush
      className={styles.listed}
      aria-label={t('renewNext.title')}
      title={
        <>
          {t('renewNext.title')}
          <CardSummary>
            {t('renewNext.summary', { count: expiring.total, shown: figureText(expiring) })}
            {cost}
          </CardSummary>
        </>
      }
      action={
        expiring.total > 0 && (
          <Link
            to="/users/all"
            search={{ expires: '7d' }}
            className={styles.link}
            data-print="none"
          >
            {t('viewAll', { shown: figureText(expiring) })}
          </Link>
        )
      }
    >
      {error && !fetched ? (
        <FailedPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Divided className={styles.list}>
          {data?.items.map((line) => (
            <ExpiringLine key={line.id} line={line} />
          ))}
        </Divided>
      )}
    </Card>
  );
}

function ExpiringLine({ line }: { line: Line }) {
  const { t, i18n } = useTranslation('dashboard');
  const days = daysBetween(useToday(), line.expiry_date);
  const tone = expiryTone(days);
  const server = useServerName(line.server_id);
  const facts = [formatDay(line.expiry_date), server, line.is_trial && t('trial')];
  return (
    <Row as="li" gap={16} phoneGap={12}>
      <Stack as="span" grow wraps className={styles.texts}>
        <LineLink id={line.id} className={styles.name}>
          {line.username}
        </LineLink>
        <small>{facts.filter(Boolean).join(' · ')}</small>
      </Stack>
      <Badge tone={tone === 'quiet' ? 'neutral' : tone} drawnIcon="clock-alert">
        {expiryWords(days, i18n.language)}
      </Badge>
      <RenewButton line={line} size="small" />
    </Row>
  );
}
