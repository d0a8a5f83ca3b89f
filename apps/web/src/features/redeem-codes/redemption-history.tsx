import type { Redemption } from '@linekeeper/contract/credits/redeem-codes.ts';
import { TicketPercent } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useMe } from '../../shared/data/session.ts';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../shared/list/table/column.ts';
import { ListProvider, useListPage } from '../../shared/list/use-list.ts';
import type { ListTableRows } from '../../shared/list/use-list-table.ts';
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

function HistoryRows(shown: ListTableRows<Redemption>) {
  const { t } = useTranslation('redeem');
  const isPhone = useIsPhone();
  if (isPhone && shown.rows) return <HistoryItems rows={shown.rows} />;
  const columns: SizedColumn<Redemption>[] = [
    {
      id: 'code',
      kind: 'name',
      title: t('columns.code'),
      cell: ({ code }) => <TypedText>{code}</TypedText>,
      size: 240,
      minSize: 140,
    },
    {
      id: 'credits',
      title: t('columns.credits'),
      align: 'end',
      look: 'strong',
      cell: ({ credits }) => credits > 0 && `+${t('number', { value: credits })}`,
      size: 104,
    },
    {
      id: 'redeemed',
      title: t('columns.redeemed'),
      look: 'quiet',
      cell: ({ redeemed_at }) => <Timestamp value={redeemed_at} />,
      size: 200,
      minSize: 170,
    },
    {
      id: 'status',
      title: t('columns.status'),
      cell: (redemption) => <Outcome {...redemption} />,
      size: 130,
    },
  ];
  return <ListRows {...shown} columns={columns} />;
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
            <b>+{t('number', { value: redemption.credits })}</b>
          ) : (
            <Outcome {...redemption} />
          )}
        </li>
      ))}
    </ul>
  );
}
