import type { listPackages } from '@linekeeper/contract/credits/top-ups.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Price } from '@linekeeper/contract/pricing.ts';
import { useQuery } from '@tanstack/react-query';
import { Package, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatParts } from '#domain/prices/format-parts.ts';
import { pricesQuery } from '#domain/prices/prices.ts';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button, type ButtonLook } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedCard, FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { formatPercent } from '#platform/format/money.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { PackageCard } from './package-card.tsx';
import { PackageDialog } from './package-dialog.tsx';
import { packagesQuery } from './queries.ts';

export function PricingPage() {
  const { t } = useTranslation('topUps');
  const { is_admin } = useMe();
  const { data, error, refetch } = useQuery(packagesQuery());
  return (
    <>
      <PageHeader actions={is_admin && <AddPackageButton />} />
      <section className="mb-6 [&>h2]:mb-4 [&>h2]:tracking-[-0.005em]" aria-labelledby="packages">
        <h2 id="packages">{t('pricing.packages')}</h2>
        {error && !data && <FailedCard error={error} onRetry={() => void refetch()} />}
        {data && !isPayable(data) && (is_admin || data.items.length > 0) && <NoPayee />}
        {data && <Packages offered={data} />}
      </section>
      {/* This part is shown with the packages, which would otherwise push it down. */}
      {(data || error) && <LinePrices />}
    </>
  );
}

type Offered = Reply<typeof listPackages>;

/** True if an order could be paid, by card or by transfer. */
const isPayable = ({ card_payments, bank_details }: Offered) =>
  card_payments || bank_details !== '';

/** The message that nobody can be paid: administrators get a link to the missing setting; others can only ask. */
function NoPayee() {
  const { t } = useTranslation('topUps');
  const { is_admin } = useMe();
  const banner = is_admin ? (
    <Banner
      tone="warning"
      title={t('payee.forAdmin')}
      action={
        <ButtonLink to="/settings" hash="panel" size="small">
          {t('enterBankDetails')}
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
  return <div className="mb-(--card-pad)">{banner}</div>;
}

/** The button that opens a ticket with its title filled in. */
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
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(236px,1fr))] gap-6 phone:grid-cols-[repeat(auto-fill,minmax(min(100%,164px),1fr))] phone:gap-2">
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
  const { data, error, refetch } = useQuery(pricesQuery());
  const isPhone = useIsPhone();
  const [shortest] = data?.toSorted((one, other) => one.months - other.months) ?? [];
  const { is_admin } = useMe();
  const columns = useColumns(shortest);
  return (
    <Card flush className="overflow-clip" aria-labelledby="line-prices">
      <div className="flex items-center justify-between gap-4 p-(--card-pad) [&_h2]:tracking-[-0.005em]">
        <h2 id="line-prices">{t('credits.ofLine')}</h2>
        {is_admin && (
          <ButtonLink to="/payments/plans" size="small">
            {t('pricing.edit')}
          </ButtonLink>
        )}
      </div>
      {error && !data ? (
        <FailedPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <SmallTable
          isWide
          caption={t('credits.ofLine')}
          columns={columns.filter(({ id }) => !isPhone || id !== 'saves')}
          rows={data}
          rowId={({ months }) => months}
        />
      )}
    </Card>
  );
}

const monthly = ({ months, cost }: Price) => cost / months;

function useColumns(shortest: Price | undefined): Column<Price>[] {
  const { t, i18n } = useTranslation('topUps');
  const savedBy = (price: Price) => (shortest ? 1 - monthly(price) / monthly(shortest) : 0);
  return [
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
      title: t('credits.monthly'),
      align: 'end',
      cell: (price) => formatParts(monthly(price), i18n.language),
    },
    {
      id: 'saves',
      title: t('pricing.saves'),
      align: 'end',
      cell: (price) => savedBy(price) > 0 && formatPercent(savedBy(price), i18n.language),
    },
  ];
}
