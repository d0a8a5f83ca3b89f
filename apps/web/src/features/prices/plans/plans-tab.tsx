import { useQuery } from '@tanstack/react-query';
import { plansQuery } from '#features/prices/queries.ts';
import { EditPlanForm } from './edit-plan-form.tsx';
import { PlansFrame } from './plans-frame.tsx';

/** The tab with the plans and the form of the first one; on a phone only the plans. */
export function PlansTab() {
  const { data } = useQuery(plansQuery());
  const first = data?.items[0];
  return (
    <PlansFrame plan={first}>
      {first && <EditPlanForm plan={first} plans={data.items} />}
    </PlansFrame>
  );
}
