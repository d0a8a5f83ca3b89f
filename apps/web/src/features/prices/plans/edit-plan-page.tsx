import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Shapes } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { plansQuery } from '#features/prices/queries.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { EditPlanForm } from './edit-plan-form.tsx';
import { PlansFrame } from './plans-frame.tsx';

export function EditPlanPage() {
  const { t } = useTranslation('prices');
  const { id } = useParams({ from: '/shell/payments/plans/$id' });
  const { data, error, refetch } = useQuery(plansQuery());
  const plan = data?.items.find((one) => one.id === id);
  return (
    <PlansFrame title={plan?.name ?? t('tabs.plans')} plan={plan}>
      {plan && <EditPlanForm key={id} plan={plan} plans={data?.items ?? []} />}
      {!plan && (data || error) && (
        <Card>
          {data ? (
            <EmptyPanel
              icon={<Shapes />}
              title={t('plans.notFound')}
              action={
                <ButtonLink to="/payments/plans" search={{ tab: 'plans' }}>
                  {t('tabs.plans')}
                </ButtonLink>
              }
            />
          ) : (
            <FailedPanel error={error} onRetry={() => void refetch()} />
          )}
        </Card>
      )}
    </PlansFrame>
  );
}
