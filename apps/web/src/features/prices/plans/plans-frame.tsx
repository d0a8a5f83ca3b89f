import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PricesHeader } from '#features/prices/prices-header.tsx';
import { plansQuery } from '#features/prices/queries.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { PlanLinks } from './plan-links.tsx';

interface PlansFrameProps {
  /** Heading of the form on a phone, where nothing else is shown; undefined for the list alone. */
  title?: string | undefined;
  /** The plan of the form; undefined for a new one. */
  plan?: Plan | undefined;
  children?: ReactNode;
}

/** The list of plans with a form beside it; on a phone one of them. */
export function PlansFrame({ title, plan, children }: PlansFrameProps) {
  const { t } = useTranslation('prices');
  const { data, error, refetch } = useQuery(plansQuery());
  const isPhone = useIsPhone();
  const isAlone = isPhone && title !== undefined;
  const lines = plan && t('serverCard.lines', { count: plan.lines ?? 0 });
  // The form keeps its place in the tree, and with it the entered values, when a window becomes narrow or wide.
  return (
    <>
      {isAlone ? (
        <PageHeader title={title} actions={lines && <span className="text-text-2">{lines}</span>} />
      ) : (
        <PricesHeader
          tab="plans"
          actions={
            <AddLink to="/payments/plans/add" variant="outlined">
              {t('nav.addPlan')}
            </AddLink>
          }
        />
      )}
      <div className="grid grid-cols-[344px_minmax(0,1fr)] items-start gap-6 tablet:grid-cols-1">
        {!isAlone && (
          <Card flush as="div" className="overflow-clip">
            {error && !data ? (
              <FailedPanel error={error} onRetry={() => void refetch()} />
            ) : (
              <PlanLinks plans={data?.items} current={isPhone ? undefined : plan?.id} />
            )}
          </Card>
        )}
        {(isAlone || !isPhone) && children}
      </div>
    </>
  );
}
