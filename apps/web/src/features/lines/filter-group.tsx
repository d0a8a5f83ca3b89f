import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/button.tsx';
import styles from './filter-panel.module.css';

interface FilterOption<Value extends string> {
  value: Value;
  label: string;
}

interface FilterGroupProps<Value extends string> {
  title: string;
  options: FilterOption<Value>[];
  /** Undefined is "any". */
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  look?: 'rows' | 'pills';
}

/** How many rows there are before the rest is asked for. */
const MOST_ROWS = 3;

/** One choice, or any. */
export function FilterGroup<Value extends string>(props: FilterGroupProps<Value>) {
  const { title, options, value, onChange, look = 'rows' } = props;
  const { t } = useTranslation('lines');
  const name = useId();
  const [showsAll, setShowsAll] = useState(false);
  const isShort = look === 'pills' || showsAll || options.length <= MOST_ROWS;
  const shown = options.filter(
    (option, index) => isShort || index < MOST_ROWS || option.value === value,
  );
  const any = { value: undefined, label: t('filter.any') };
  return (
    <fieldset className={styles.group} data-look={look}>
      <legend>{title}</legend>
      <div className={styles.options}>
        {[any, ...shown].map((option) => (
          <label key={option.value ?? ''} className={styles.option}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {!isShort && (
        <Button variant="text" size="small" onClick={() => setShowsAll(true)}>
          {t('filter.more', { count: options.length - shown.length })}
        </Button>
      )}
    </fieldset>
  );
}
