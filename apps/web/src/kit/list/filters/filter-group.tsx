import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatCount } from '#platform/i18n/format-number.ts';
import { FilterField } from './filter-field.tsx';

interface FilterOption {
  value: string;
  label: string;
  /** Number of rows with this value, if counted. */
  count?: number | undefined;
}

interface FilterGroupProps {
  title: string;
  options: FilterOption[];
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** Options shown before "more". The button "more" needs a row, too, so it hides at least two. */
const MOST_ROWS = 3;

/** Checkboxes for any number of values. If no value is chosen, there is no filter. */
export function ChoiceGroup({
  isLong = false,
  ...props
}: FilterGroupProps & { isLong?: boolean | undefined }) {
  const { title, options, values, onChange } = props;
  const { t, i18n } = useTranslation();
  const id = useId();
  const [showsAll, setShowsAll] = useState(false);
  const cut = options.filter(({ value }, index) => index < MOST_ROWS || values.includes(value));
  const shown = isLong && !showsAll && cut.length + 1 < options.length ? cut : options;
  const toggle = (value: string, isOn: boolean) =>
    // The values are sorted like the options, so that the same choice always gives the same address.
    onChange(
      [...options.map((option) => option.value), ...values].filter(
        (one, index, all) =>
          all.indexOf(one) === index && (one === value ? isOn : values.includes(one)),
      ),
    );
  return (
    <FilterField title={title}>
      {shown.map(({ value, label, count }) => (
        <label
          key={value}
          htmlFor={`${id}-${value}`}
          className="flex items-center gap-3 min-h-(--press-small) cursor-pointer [&_input]:flex-none [&_input]:w-4.5 [&_input]:h-4.5 [&_input]:m-0 [&_input]:[accent-color:var(--color-primary)]"
        >
          <Checkbox
            id={`${id}-${value}`}
            checked={values.includes(value)}
            onChange={({ target }) => toggle(value, target.checked)}
          />
          <span className="flex-1 min-w-0 wrap-anywhere">
            <TypedText>{label}</TypedText>
          </span>
          {count !== undefined && (
            <span className="flex-none text-text-2 type-caption">
              {formatCount(count, i18n.language)}
            </span>
          )}
        </label>
      ))}
      {shown.length < options.length && (
        <Button variant="text" size="small" onClick={() => setShowsAll(true)}>
          {t('list.filter.more', { count: options.length - shown.length })}
        </Button>
      )}
    </FilterField>
  );
}

/** Radio pills for one value or any value. */
export function PillGroup({ title, options, values, onChange }: FilterGroupProps) {
  const { t, i18n } = useTranslation();
  const name = useId();
  const any = { value: undefined, label: t('list.filter.any'), count: undefined };
  return (
    <FilterField title={title}>
      <div className="flex flex-wrap items-stretch gap-1.5">
        {[any, ...options].map(({ value, label, count }) => (
          <RadioPill
            key={value ?? ''}
            size="small"
            name={name}
            checked={value === values[0]}
            onChange={() => onChange(value === undefined ? [] : [value])}
          >
            {label}
            {count !== undefined && ` (${formatCount(count, i18n.language)})`}
          </RadioPill>
        ))}
      </div>
    </FilterField>
  );
}
