import type { Settings } from '@linekeeper/contract/settings.ts';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { hourOfDay } from './hour-of-day.ts';

type Values = Partial<Settings>;
type Field = Exclude<keyof Settings, 'trial_days'>;

interface SaveBarProps {
  form: UseFormReturn<Values, unknown, Values>;
  submission: Submission;
  onDiscard: () => void;
}

/** The bar with the number of unsaved settings. It stays at the bottom of the window while there are any. */
export function SaveBar({ form, submission, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('settings');
  const { dirtyFields, defaultValues } = form.formState;
  const changed = Object.keys(dirtyFields) as Field[];
  if (changed.length === 0) return null;
  const now = form.watch();
  const names = changed.map((field) => {
    const [before, after] = [defaultValues?.[field], now[field]];
    const areNumbers = typeof before === 'number' && typeof after === 'number';
    const number = (value: number) =>
      field === 'reminder_hour' ? hourOfDay(value) : t('number', { value });
    return areNumbers
      ? `${t(`fields.${field}`)} ${number(before)} › ${number(after)}`
      : t(`fields.${field}`);
  });
  return (
    <div className="flex items-center flex-wrap gap-2 sticky bottom-4 z-2 pt-3 pr-4 pb-3 pl-6 rounded-card bg-paper [box-shadow:var(--shade-card),var(--shade-bar)] low:static phone:bottom-0 phone:p-4 phone:[&>button]:flex-1">
      <p className="flex-1 min-w-50 wrap-anywhere phone:basis-full">
        <b>{t('unsaved', { count: changed.length })}</b>{' '}
        <span className="text-text-2">{names.join(', ')}</span>
      </p>
      <Button disabled={submission.isPending} onClick={onDiscard}>
        {t('action.discard')}
      </Button>
      <SubmitButton pending={submission.isPending}>{t('action.save')}</SubmitButton>
    </div>
  );
}
