import { useId } from 'react';
import { useTranslation } from 'react-i18next';

interface OnlyValidProps {
  value: boolean;
  onChange: (onlyValid: boolean) => void;
}

/** The choice of what happens to a file with invalid rows: nothing is imported, or only its valid rows are. */
export function OnlyValid({ value, onChange }: OnlyValidProps) {
  const { t } = useTranslation('bulk');
  const name = useId();
  return (
    <fieldset className="[&_label]:min-h-9 [&_label]:cursor-pointer [&_input]:flex-none [&_input]:w-4.5 [&_input]:h-4.5 [&_input]:[accent-color:var(--color-primary)] phone:[&_label]:min-h-11">
      <legend>{t('import.ifWrong')}</legend>
      <label className="flex items-center gap-3">
        <input type="radio" name={name} checked={!value} onChange={() => onChange(false)} />
        {t('import.nothing')}
      </label>
      <label className="flex items-center gap-3">
        <input type="radio" name={name} checked={value} onChange={() => onChange(true)} />
        {t('import.onlyValid')}
      </label>
    </fieldset>
  );
}
