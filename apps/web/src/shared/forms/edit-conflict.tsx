import { useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Banner } from '../ui/states/banner.tsx';
import styles from './edit-conflict.module.css';
import { labelOf } from './field-labels.ts';

/**
 * The fields edited here whose stored value was also changed elsewhere. `values` are the values
 * stored now; the hook remembers those from when the form was opened.
 */
export function useEditConflict<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  values: Values,
): FieldPath<Values>[] {
  const [opened] = useState(values);
  const dirty = form.formState.dirtyFields as Partial<Record<string, unknown>>;
  return Object.keys(values).filter(
    (name): name is FieldPath<Values> => Boolean(dirty[name]) && values[name] !== opened[name],
  );
}

interface EditConflictProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  names: FieldPath<Values>[];
}

function useFieldNames<Values extends FieldValues, Output>({
  form: { control },
  names,
}: EditConflictProps<Values, Output>): string {
  const { i18n } = useTranslation();
  const labels = names.map((name) => labelOf(control, name) ?? name);
  return new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(labels);
}

/** Sticky, because a user typing further down does not see the top of the form. */
export function EditConflictBanner<Values extends FieldValues, Output>(
  props: EditConflictProps<Values, Output>,
) {
  const { t } = useTranslation();
  const fields = useFieldNames(props);
  return (
    <div className={styles.conflict}>
      <Banner tone="warning" title={t('conflict.title')} isAlert>
        {t('conflict.fields', { fields })}
      </Banner>
    </div>
  );
}

interface OverwriteQuestionProps<Values extends FieldValues, Output>
  extends EditConflictProps<Values, Output> {
  onSaveMine: () => void;
  onKeepTheirs: () => void;
  onClose: () => void;
}

/** Asks before replacing values that another user has saved meanwhile. */
export function OverwriteQuestion<Values extends FieldValues, Output>({
  onSaveMine,
  onKeepTheirs,
  onClose,
  ...conflict
}: OverwriteQuestionProps<Values, Output>) {
  const { t } = useTranslation();
  const fields = useFieldNames(conflict);
  return (
    <ConfirmDialog
      open
      title={t('conflict.question')}
      text={t('conflict.text', { fields })}
      confirmLabel={t('conflict.saveMine')}
      cancelLabel={t('conflict.keepTheirs')}
      onConfirm={onSaveMine}
      onCancel={onKeepTheirs}
      onClose={onClose}
    />
  );
}
