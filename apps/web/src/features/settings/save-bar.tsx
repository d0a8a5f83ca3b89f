import type { Settings } from '@linekeeper/contract/settings.ts';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Muted, Row } from '#kit/ui/vocabulary.tsx';
import { hourOfDay } from './hour-of-day.ts';
import styles from './settings.module.css';

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
    <Row gap={8} wrap className={styles.saveBar}>
      <p>
        <b>{t('unsaved', { count: changed.length })}</b> <Muted>{names.join(', ')}</Muted>
      </p>
      <Button disabled={submission.isPending} onClick={onDiscard}>
        {t('discard')}
      </Button>
      <SubmitButton pending={submission.isPending}>{t('action.save')}</SubmitButton>
    </Row>
  );
}
