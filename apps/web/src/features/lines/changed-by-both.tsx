import { useTranslation } from 'react-i18next';
import { labelOf } from '../../shared/forms/field-labels.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import styles from './edit-line.module.css';
import type { EditLineValues, LineForm } from './edit-line-schema.ts';

interface ChangedByBothProps {
  form: LineForm;
  names: (keyof EditLineValues)[];
}

function useFieldNames({ form: { control }, names }: ChangedByBothProps): string {
  const { i18n } = useTranslation();
  const labels = names.map((name) => labelOf(control, name) ?? name);
  return new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(labels);
}

/** Stays in sight while the form scrolls: whoever types is not at its top. */
export function ChangedByBoth(props: ChangedByBothProps) {
  const { t } = useTranslation('lines');
  const fields = useFieldNames(props);
  return (
    <div className={styles.both}>
      <Banner tone="warning" title={t('edit.changedMeanwhile')} isAlert>
        {t('edit.bothChanged', { fields })}
      </Banner>
    </div>
  );
}

interface OverwriteQuestionProps extends ChangedByBothProps {
  onSaveMine: () => void;
  onKeepTheirs: () => void;
  onClose: () => void;
}

/** Before what somebody else has entered is replaced. */
export function OverwriteQuestion({
  onSaveMine,
  onKeepTheirs,
  onClose,
  ...both
}: OverwriteQuestionProps) {
  const { t } = useTranslation('lines');
  const fields = useFieldNames(both);
  return (
    <ConfirmDialog
      open
      title={t('edit.overwrite')}
      text={t('edit.overwriteText', { fields })}
      confirmLabel={t('edit.saveMine')}
      cancelLabel={t('edit.keepTheirs')}
      onConfirm={onSaveMine}
      onCancel={onKeepTheirs}
      onClose={onClose}
    />
  );
}
