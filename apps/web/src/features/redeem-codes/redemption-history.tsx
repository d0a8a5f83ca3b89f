import type { Redemption } from '@linekeeper/contract/credits/redeem-codes.ts';
import { TicketPercent } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useMe } from '../../shared/data/session.ts';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows, type ShownRows } from '../../shared/list/list-rows.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import { ListProvider, useListPage } from '../../shared/list/use-list.ts';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { Outcome } from './outcome.tsx';
import styles from './redeem.module.css';
import { useRedemptionsOf } from './redemptions-list.ts';

/** The own tries to redeem a code, and what came of them. */
export function RedemptionHistory() {
  const { t } = useTranslation('redeem');
  const list = useRedemptionsOf(useMe().id);
  return (
    <ListProvider value={list}>
      <ListCard label={t('history')}>
        <HistoryHead />
        <PagedList
          list={list}
          toolbar={null}
          hasFooter={false}
          firstUse={
            <EmptyPanel icon={<TicketPercent />} title={t('emptyTitle')} text={t('emptyText')} />
          }
        >
          {(rows) => <HistoryRows {...rows} />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function HistoryHead() {
  const { t } = useTranslation('redeem');
  const { page } = useListPage(useRedemptionsOf(useMe().id));
  // The reply has the sum beside what every list has.
  const { credits = 0 } = (page ?? {}) as { credits?: number };
  return (
    <Row justify="between" wrap className={styles.head}>
      <h2>{t('history')}</h2>
      {credits > 0 && <span>{t('fromCodes', { count: credits })}</span>}
    </Row>
  );
}

function HistoryRows(shown: ShownRows<Redemption>) {
  const isPhone = useIsPhone();
  if (isPhone && shown.rows) return <HistoryItems rows={shown.rows} />;
  return <ListRows {...shown} columns={columns} />;
}

const columns: ListColumn<Redemption>[] = [
  column.name('code', ({ code }) => <TypedText>{code}</TypedText>),
  column.count('credits', ({ credits }) => credits > 0 && <CreditsAdded credits={credits} />, {
    look: 'strong',
  }),
  column.moment('redeemed', ({ redeemed_at }) => redeemed_at),
  column.badge('status', (redemption) => <Outcome {...redemption} />),
];

function CreditsAdded({ credits }: Pick<Redemption, 'credits'>) {
  return `+${useTranslation().t('number', { value: credits })}`;
}

/** On a phone: what was added, or that nothing was, beside code and time. */
function HistoryItems({ rows }: { rows: readonly Redemption[] }) {
  const { t } = useTranslation('redeem');
  return (
    <ul className={styles.items} aria-label={t('history')}>
      {rows.map((redemption) => (
        <li key={redemption.id}>
          <span>
            <b>
              <TypedText>{redemption.code}</TypedText>
            </b>
            <Timestamp value={redemption.redeemed_at} />
          </span>
          {redemption.status === 'success' ? (
            <b>
              <CreditsAdded {...redemption} />
            </b>
          ) : (
            <Outcome {...redemption} />
          )}
        </li>
      ))}
    </ul>
  );
}
