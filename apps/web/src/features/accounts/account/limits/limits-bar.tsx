import type { LimitsGiven, setLimits } from '@linekeeper/contract/accounts/limits.ts';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { usePlanName } from '#domain/prices/plans.ts';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { changedLimits } from './limit-values.ts';

export type LimitsForm = UseFormReturn<
  z.input<typeof setLimits.body>,
  unknown,
  z.output<typeof setLimits.body>
>;

interface LimitsBarProps {
  form: LimitsForm;
  stored: LimitsGiven;
  submission: Submission;
  onDiscard: () => void;
}

/** The bar with the changed limits, which sticks to the window's bottom while there are any. */
export function LimitsBar({ form, stored, submission, onDiscard }: LimitsBarProps) {
  const { t } = useTranslation('account');
  const sentence = useChangeText();
  const changes = changedLimits(stored, form.watch());
  if (changes.length === 0) return null;
  return (
    <div
      className="sticky bottom-0 z-2 flex items-center flex-wrap gap-2 min-h-16 -mx-(--card-pad) -mb-(--card-pad) py-3 px-(--card-pad) border-t border-t-divider rounded-b-card bg-paper *:[--covered-bottom:0px] phone:*:flex-auto phone:[&>[type=submit]]:grow-999 low:static"
      data-sticky
      data-foot-bar
    >
      <p className="flex-1 min-w-50 wrap-anywhere">
        <b className="block">{changes.map(sentence).join(' · ')}</b>
        <span className="text-text-2 type-caption only-wide">{t('limits.stays')}</span>
      </p>
      <Button variant="text" disabled={submission.isPending} onClick={onDiscard}>
        {t('action.discard')}
      </Button>
      <SubmitButton pending={submission.isPending}>{t('limits.save')}</SubmitButton>
    </div>
  );
}

type Change = ReturnType<typeof changedLimits>[number];

/** Returns a function that writes the change of a limit, such as 'Lines: 180 › 200'. */
function useChangeText(): (change: Change) => string {
  const { t } = useTranslation('account');
  const planName = usePlanName();
  const labels = {
    lines: t('nav.lines'),
    accounts: t('below.title'),
    trials: t('limits.trials'),
    max_months: t('field.longest'),
    may_delete: t('field.mayDelete'),
    plan_ids: t('field.plan_ids'),
    ends_on: t('field.ends_on'),
  };
  const valueText = (field: Change['field'], value: Change['before']) => {
    if (typeof value === 'boolean') return t(value ? 'answer.yes' : 'answer.no');
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map(planName).join(', ') || t('limits.noPlan');
    if (field === 'plan_ids') return t('limits.allPlans');
    if (typeof value !== 'number')
      return t(field === 'ends_on' ? 'recurring.never' : 'limits.none');
    return field === 'max_months' ? t('credits.months', { count: value }) : t('number', { value });
  };
  return ({ field, before, after }) =>
    `${labels[field]}: ${valueText(field, before)} › ${valueText(field, after)}`;
}
