import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RadioPill } from '../../../shared/ui/controls/radio-pill.tsx';
import styles from './credits-dialog.module.css';

export type Direction = 'addCredits' | 'takeBack';
const directions: readonly Direction[] = ['addCredits', 'takeBack'];

interface DirectionSwitchProps {
  value: Direction;
  /** True where there is nothing to take back. */
  isFixed: boolean;
  onChange: (direction: Direction) => void;
}

/** Whether credits go to the account or come back. */
export function DirectionSwitch({ value, isFixed, onChange }: DirectionSwitchProps) {
  const { t } = useTranslation('account');
  const name = useId();
  if (isFixed && value === 'addCredits') return null;
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">{t('direction')}</legend>
      {directions.map((direction) => (
        <RadioPill
          key={direction}
          size="small"
          name={name}
          checked={direction === value}
          onChange={() => onChange(direction)}
        >
          {t(direction === 'addCredits' ? 'add' : 'takeBack.short')}
        </RadioPill>
      ))}
    </fieldset>
  );
}
