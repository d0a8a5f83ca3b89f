import {
  deletePlan,
  editPlan,
  type Plan,
  STANDARD_PLAN,
} from '@linekeeper/contract/credits/plans.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { RefreshCw, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useShowStoredJob } from '#domain/jobs/queries.ts';
import { useStoredPlan } from '#features/prices/use-stored-plan.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { ApiError } from '#platform/api/client.ts';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import { PLAN_FORM_ID, PlanCard } from './plan-card.tsx';
import { changesOf, enteredPlan, type PlanFormOf, planForm } from './plan-form.ts';
import { useMovePlans } from './use-move-plans.ts';

interface EditPlanFormProps {
  plan: Plan;
  /** All plans, in their order. */
  plans: readonly Plan[];
}

export function EditPlanForm({ plan, plans }: EditPlanFormProps) {
  const { t } = useTranslation('prices');
  const place = plans.findIndex(({ id }) => id === plan.id) + 1;
  const stored = useMemo(() => enteredPlan(plan, place), [plan, place]);
  const form: PlanFormOf = useContractForm({ schema: planForm, defaultValues: stored });
  const { isDirty } = form.formState;
  const version = useStoredPlan(form, stored, plan);
  const command = useCommand(editPlan, {
    params: { id: plan.id },
    refreshes: ['credits', 'lines'],
    waits: true,
  });
  const preview = usePreview(plan, form, command.isPending ? null : version);
  const { positionAt, moveOthers } = useMovePlans(plans.filter(({ id }) => id !== plan.id));
  const showJob = useShowStoredJob();
  const placed = () => Number(form.getValues('place'));
  const submission = useSubmit({
    form,
    command,
    bodyOf: () => ({
      ...changesOf(plan, form.getValues()),
      ...(placed() === place ? {} : { position: positionAt(placed()) }),
      from_updated_at: version,
    }),
    done: async ({ job_id }, { position }) => {
      if (position !== undefined) await moveOthers(placed());
      if (job_id && (await showJob(job_id))) return;
      results.success(t('saved', { name: plan.name }));
    },
  });
  const lines = preview.data?.lines ?? 0;
  return (
    <PlanCard
      form={form}
      submission={submission}
      title={plan.name}
      places={plans.length}
      note={<PreviewBanner plan={plan} {...preview} />}
      submit={
        <SubmitButton form={PLAN_FORM_ID} pending={submission.isPending}>
          {lines > 0 ? t('plans.change', { count: lines }) : t('action.save')}
        </SubmitButton>
      }
      cancel={
        isDirty && (
          <Button disabled={submission.isPending} onClick={() => form.reset(stored)}>
            {t('action.discard')}
          </Button>
        )
      }
      end={plan.id !== STANDARD_PLAN && <DeletePlan plan={plan} onDeleted={submission.letLeave} />}
    />
  );
}

/**
 * The preview of saving: the lines that the entered servers and rights would change. Without a
 * version, no request is sent.
 */
function usePreview(plan: Plan, form: PlanFormOf, version: string | null) {
  const entered = useWatch({ control: form.control });
  const { serves, servers } = changesOf(plan, entered) ?? {};
  const changes = { ...(serves && { serves }), ...(servers && { servers }) };
  const text = JSON.stringify(changes);
  const rested = useDebounced(text);
  const isAsked = version !== null && text !== '{}' && text === rested;
  const { data, error } = useQuery(
    callQuery('credits', editPlan, {
      params: { id: plan.id },
      body: { ...changes, preview: true, from_updated_at: version ?? undefined },
      enabled: isAsked,
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),
  );
  return isAsked ? { data, error } : {};
}

interface PreviewBannerProps {
  plan: Plan;
  data?: { lines: number; servers: number } | undefined;
  error?: Error | null;
}

/** The result of the preview. A refusal that belongs to no field is shown before the plan is saved. */
function PreviewBanner({ plan, data, error }: PreviewBannerProps) {
  const { t } = useTranslation('prices');
  const errorText = useErrorText();
  if (error instanceof ApiError && error.status === 409) {
    return <Banner tone="warning" title={errorText(error)} />;
  }
  if (!data || data.lines === 0) return null;
  const lines = t('serverCard.lines', { count: data.lines });
  return (
    <Banner
      tone="info"
      icon={<RefreshCw />}
      title={t('plans.willChange', { lines, count: data.servers })}
      action={
        <Link to="/users/all" search={{ plan: plan.id }} target="_blank" className="underline">
          {t('plans.showLines')}
        </Link>
      }
    >
      <p className="type-caption">
        {t('plans.inBatches')} {t('serverCard.undo')}
      </p>
    </Banner>
  );
}

function DeletePlan({ plan, onDeleted }: { plan: Plan; onDeleted: () => void }) {
  const { t } = useTranslation('prices');
  const { t: errors } = useTranslation('errors');
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { id, name, lines } = plan;
  const command = useCommand(deletePlan, { params: { id }, refreshes: ['credits'] });
  const inUse = lines ? errors('PLAN_IN_USE', { count: lines }) : undefined;
  return (
    <>
      <Button variant="text" tone="danger" icon={<Trash2 />} onClick={() => setOpen(true)}>
        {t('plans.delete')}
      </Button>
      {isOpen && (
        <ConfirmAction
          command={command}
          tone="danger"
          title={t('askDelete', { name })}
          confirmLabel={t('plans.delete')}
          text={inUse}
          blocked={inUse}
          done={() => {
            results.success(t('deleted', { name }));
            onDeleted();
            return navigate({ to: '/payments/plans', search: { tab: 'plans' } });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
