import type { Settings } from '@linekeeper/contract/settings.ts';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { hourOfDay } from './hour-of-day.ts';

type Values = Partial<Settings>;
type Field = keyof Settings;

interface SaveBarProps {
  form: UseFormReturn<Values, unknown, Values>;
  submission: Submission;
  onDiscard: () => void;
}

/** Says what is not saved yet; sticks to the window's bottom while there is something. */
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
      ? `${t(`fields.${field}`)} ${number(before)} → ${number(after)}`
      : t(`fields.${field}`);
  });
  return (
    <div className="flex items-center flex-wrap gap-2 sticky bottom-4 z-2 pt-3 pr-4 pb-3 pl-6 rounded-card bg-paper [box-shadow:var(--shade-card),var(--shade-bar)] [&>p]:flex-1 [&>p]:min-w-50 [&>p]:wrap-anywhere low:static phone:bottom-0 phone:p-4 phone:[&>p]:basis-full phone:[&>button]:flex-1">
      <p>
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
