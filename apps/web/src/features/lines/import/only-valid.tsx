import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Row } from '#kit/ui/vocabulary.tsx';
import styles from './import.module.css';

interface OnlyValidProps {
  valid: number;
  value: boolean;
  onChange: (onlyValid: boolean) => void;
}

/** The choice for a file of which some rows are refused. */
export function OnlyValid({ valid, value, onChange }: OnlyValidProps) {
  const { t } = useTranslation('bulk');
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{t('import.ifWrong')}</legend>
      <Row as="label" gap={12}>
        <input type="radio" name={name} checked={!value} onChange={() => onChange(false)} />
        {t('import.nothing')}
      </Row>
      <Row as="label" gap={12}>
        <input type="radio" name={name} checked={value} onChange={() => onChange(true)} />
        {t('import.onlyValid', { count: valid })}
      </Row>
    </fieldset>
  );
}
