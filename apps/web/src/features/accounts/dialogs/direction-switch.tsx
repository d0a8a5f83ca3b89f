import { useTranslation } from 'react-i18next';
import { Segments } from '../../../shared/ui/controls/segments.tsx';

export type Direction = 'addCredits' | 'takeBack';
const directions: readonly Direction[] = ['addCredits', 'takeBack'];

interface DirectionSwitchProps {
  value: Direction;
  /** True where there is nothing to take back. */
  isFixed: boolean;
  onChange: (direction: Direction) => void;
}

/** A switch: credits go to the account, or come back. */
export function DirectionSwitch({ value, isFixed, onChange }: DirectionSwitchProps) {
  const { t } = useTranslation('account');
  if (isFixed && value === 'addCredits') return null;
  return (
    <Segments
      label={t('direction')}
      value={value}
      options={directions.map((direction) => ({
        value: direction,
        label: t(direction === 'addCredits' ? 'add' : 'takeBack.short'),
      }))}
      onChange={onChange}
    />
  );
}
