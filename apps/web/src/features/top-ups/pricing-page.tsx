import type { listPackages } from '@linekeeper/contract/credits/top-ups.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Price } from '@linekeeper/contract/pricing.ts';
import { useQuery } from '@tanstack/react-query';
import { Package, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pricesQuery } from '#domain/prices/prices.ts';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button, type ButtonLook } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Muted } from '#kit/ui/vocabulary.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { useDrawnInSlices } from '#platform/start/later.tsx';
import { formatParts, formatPercent } from './money.ts';
import { PackageCard } from './package-card.tsx';
import { PackageDialog } from './package-dialog.tsx';
import styles from './pricing.module.css';
import { packagesQuery } from './queries.ts';

export function PricingPage() {
  const { t } = useTranslation('topUps');
  const { is_admin } = useMe();
  const { data: fetched, error, refetch } = useQuery(packagesQuery());
  const data = useDrawnInSlices(fetched);
  return (
    <>
      <PageHeader actions={is_admin && <AddPackageButton />} />
      <section className={styles.packages} aria-labelledby="packages">
        <h2 id="packages">{t('pricing.packages')}</h2>
        {error && !fetched && (
          <Card>
            <FailedPanel error={error} onRetry={() => void refetch()} />
          </Card>
        )}
        {data && !isPayable(data) && (is_admin || data.items.length > 0) && <NoPayee />}
        {data && <Packages offered={data} />}
      </section>
      {/* Shown before the packages it would be pushed down by them. */}
      {(data || error) && <LinePrices />}
    </>
  );
}

type Offered = Reply<typeof listPackages>;

/** Somebody is there to pay. */
const isPayable = ({ card_payments, bank_details }: Offered) =>
  card_payments || bank_details !== '';

/** Administrators are led to what is missing; others can only ask. */
function NoPayee() {
  const { t } = useTranslation('topUps');
  const { is_admin } = useMe();
  const banner = is_admin ? (
    <Banner
      tone="warning"
      title={t('payee.forAdmin')}
      action={
        <ButtonLink to="/settings" hash="panel" size="small">
          {t('payee.enter')}
        </ButtonLink>
      }
    >
      <p>{t('payee.forAdminText')}</p>
    </Banner>
  ) : (
    <Banner tone="info" title={t('payee.none')} action={<AskButton size="small" />}>
      <p>{t('payee.noneText')}</p>
    </Banner>
  );
  return <div className={styles.missing}>{banner}</div>;
}

/** A ticket whose title is written already. */
function AskButton(look: Pick<ButtonLook, 'size' | 'variant'>) {
  const { t } = useTranslation('topUps');
  return (
    <ButtonLink {...look} to="/tickets/new" search={{ title: t('payee.ticket') }}>
      {t('payee.ask')}
    </ButtonLink>
  );
}

function Packages({ offered }: { offered: Offered }) {
  const { t } = useTranslation('topUps');
  const { is_admin } = useMe();
  if (offered.items.length > 0) {
    return (
      <ul className={styles.grid}>
        {offered.items.map((offer) => (
          <PackageCard
            key={offer.id}
            offer={offer}
            takesCards={offered.card_payments}
            takesTransfers={offered.bank_details !== ''}
          />
        ))}
      </ul>
    );
  }
  return (
    <Card>
      <EmptyPanel
        icon={<Package />}
        title={t('pricing.none')}
        text={t(is_admin ? 'pricing.noneForAdmin' : 'pricing.noneText')}
        action={is_admin ? undefined : <AskButton variant="solid" />}
      />
    </Card>
  );
}

function AddPackageButton() {
  const { t } = useTranslation('topUps');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="solid" icon={<Plus />} onClick={() => setOpen(true)}>
        {t('package.add')}
      </Button>
      {isOpen && <PackageDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function LinePrices() {
  const { t } = useTranslation('topUps');
  const { data: fetched, error, refetch } = useQuery(pricesQuery());
  const data = useDrawnInSlices(fetched);
  const isPhone = useIsPhone();
  const columns = useColumns(data?.[0], isPhone);
  return (
    <Card flush className={styles.lines} aria-labelledby="line-prices">
      <div className={styles.head}>
        <h2 id="line-prices">{t('pricing.lines')}</h2>
        <Muted as="p">{t('pricing.linesText')}</Muted>
      </div>
      {error && !fetched ? (
        <FailedPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <SmallTable
          isWide
          caption={t('pricing.lines')}
          columns={columns.filter(({ id }) => !isPhone || id !== 'saves')}
          rows={data}
          rowId={({ months }) => months}
        />
      )}
    </Card>
  );
}

const monthly = ({ months, cost }: Price) => cost / months;

function useColumns(shortest: Price | undefined, isPhone: boolean): Column<Price>[] {
  const { t, i18n } = useTranslation('topUps');
  const { credits, is_admin } = useMe();
  const savedBy = (price: Price) => (shortest ? 1 - monthly(price) / monthly(shortest) : 0);
  const columns: Column<Price>[] = [
    {
      id: 'term',
      kind: 'name',
      title: t('field.duration'),
      cell: ({ months }) => t('credits.months', { count: months }),
    },
    {
      id: 'cost',
      title: t('field.credits'),
      align: 'end',
      look: 'strong',
      cell: ({ cost }) => formatNumber(cost, i18n.language),
    },
    {
      id: 'monthly',
      title: t('pricing.monthly'),
      align: 'end',
      cell: (price) => formatParts(monthly(price), i18n.language),
    },
    {
      id: 'saves',
      title: t('pricing.saves'),
      align: 'end',
      cell: (price) =>
        savedBy(price) > 0 && (
          <Badge tone="success">{formatPercent(savedBy(price), i18n.language)}</Badge>
        ),
    },
  ];
  // An administrator's credits are not counted, so they are good for any number of lines.
  if (is_admin) return columns;
  return [
    ...columns,
    {
      id: 'with',
      title: isPhone ? t('nav.lines') : t('pricing.with', { count: credits }),
      align: 'end',
      look: 'quiet',
      cell: ({ cost }) => formatNumber(Math.floor(credits / cost), i18n.language),
    },
  ];
}
