import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showCount } from '../../shared/line-counts.ts';
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

interface FilterCheckProps {
  label: string;
  count: number | undefined;
  checked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Yes, or never mind; with the number of lines behind it. */
export function FilterCheck({ label, count, checked, onChange }: FilterCheckProps) {
  const { i18n } = useTranslation();
  return (
    <label className={styles.option}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{label}</span>
      {count !== undefined && (
        <span className={styles.count}>{showCount(count, i18n.language)}</span>
      )}
    </label>
  );
}
