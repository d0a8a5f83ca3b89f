import { createPlan, type Plan, STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { plansQuery } from '#features/prices/queries.ts';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { results } from '#platform/state/results.ts';
import { PLAN_FORM_ID, PlanCard } from './plan-card.tsx';
import { bodyOf, type EnteredPlan, planForm } from './plan-form.ts';
import { PlansFrame } from './plans-frame.tsx';
import { useMovePlans } from './use-move-plans.ts';

export function AddPlanPage() {
  const { t } = useTranslation('prices');
  const { data } = useQuery(plansQuery());
  return (
    <PlansFrame title={t('nav.addPlan')}>{data && <AddPlanForm plans={data.items} />}</PlansFrame>
  );
}

function AddPlanForm({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation('prices');
  const navigate = useNavigate();
  const { positionAt, moveOthers } = useMovePlans(plans);
  // A plan begins with prices, because it is offered immediately.
  const terms = (plans.find(({ id }) => id === STANDARD_PLAN) ?? plans[0])?.terms ?? [];
  const defaultValues: EnteredPlan = {
    ...{ name: '', description: '', is_offered: true, serves: 'one', servers: [] },
    place: String(plans.length + 1),
  };
  const { form, submission } = useCommandForm(createPlan, {
    schema: planForm,
    refreshes: ['credits'],
    waits: true,
    defaultValues,
    bodyOf: (values) => ({ ...bodyOf(values), terms, position: positionAt(Number(values.place)) }),
    done: async ({ plan }) => {
      await moveOthers(Number(form.getValues('place')));
      results.success(t('plans.added', { name: plan.name }));
      await navigate({ to: '/payments/plans/$id', params: { id: plan.id } });
    },
  });
  const submit = (
    <SubmitButton form={PLAN_FORM_ID} pending={submission.isPending}>
      {t('nav.addPlan')}
    </SubmitButton>
  );
  return (
    <PlanCard
      form={form}
      submission={submission}
      title={t('nav.addPlan')}
      places={plans.length + 1}
      note={<p className="text-text-2 type-caption">{t('plans.firstPrices')}</p>}
      submit={submit}
      cancel={
        <ButtonLink to="/payments/plans" search={{ tab: 'plans' }}>
          {t('action.cancel')}
        </ButtonLink>
      }
    />
  );
}
