import type { CreditPackage } from '@linekeeper/contract/credits/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { Package, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/session.ts';
import { useDrawnInSlices } from '../../shared/timing/use-drawn-in-slices.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { LinePrices } from './line-prices.tsx';
import { PackageCard } from './package-card.tsx';
import { PackageDialog } from './package-dialog.tsx';
import styles from './pricing.module.css';
import { packagesQuery } from './queries.ts';

/** The prices of credits in money, and of lines in credits. */
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
        {data && <Packages packages={data.items} takesCards={data.card_payments} />}
      </section>
      {/* Shown before the packages it would be pushed down by them. */}
      {(data || error) && <LinePrices />}
    </>
  );
}

function Packages(props: { packages: readonly CreditPackage[]; takesCards: boolean }) {
  const { t } = useTranslation('topUps');
  const { is_admin } = useMe();
  if (props.packages.length > 0) {
    return (
      <ul className={styles.grid}>
        {props.packages.map((offer) => (
          <PackageCard key={offer.id} offer={offer} takesCards={props.takesCards} />
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
      />
    </Card>
  );
}

function AddPackageButton() {
  const { t } = useTranslation('topUps');
  const blocked = useNeedsConnection();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="solid"
        icon={<Plus aria-hidden="true" />}
        blocked={blocked}
        onClick={() => setOpen(true)}
      >
        {t('package.add')}
      </Button>
      {isOpen && <PackageDialog onClose={() => setOpen(false)} />}
    </>
  );
}
