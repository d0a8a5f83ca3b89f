import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { CoveringInput } from './covering-input.tsx';

interface RadioPillProps {
  size: 'small' | 'medium';
  /** Name of the radio group, the same for all pills of a choice. */
  name: string;
  checked: boolean;
  onChange: () => void;
  lang?: string;
  children: ReactNode;
}

const sizes = {
  medium: 'gap-2 min-h-(--press) px-3',
  small: 'min-h-(--press-small) px-[9px] whitespace-nowrap',
};
const PILL =
  'flex items-center choice relative rounded-control font-medium [&:has(:checked)]:text-primary-dark [&:has(:checked)]:font-semibold';

/** An option drawn as a pill, one of which can be chosen. */
export function RadioPill({ size, lang, children, ...radio }: RadioPillProps) {
  return (
    <label className={`${PILL} ${sizes[size]}`} lang={lang}>
      <CoveringInput type="radio" {...radio} />
      {children}
    </label>
  );
}

interface PillChoiceProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; label: ReactNode; lang?: string }[];
  value: Value | undefined;
  onChange: (value: Value) => void;
}

/** A choice from few options, which are all visible. */
export function PillChoice<Value extends string>(props: PillChoiceProps<Value>) {
  const { legend, options, value: chosen, onChange } = props;
  const name = useId();
  return (
    <fieldset className="flex flex-wrap items-stretch gap-2">
      <legend className="mb-2">{legend}</legend>
      {options.map(({ value, label, ...look }) => (
        <RadioPill
          {...look}
          key={value}
          size="medium"
          name={name}
          checked={value === chosen}
          onChange={() => onChange(value)}
        >
          {label}
        </RadioPill>
      ))}
    </fieldset>
  );
}

interface CheckPillProps {
  checked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}

/** An option drawn as a pill, several of which can be chosen. */
export function CheckPill({ checked, onChange, children }: CheckPillProps) {
  return (
    <label className={`${PILL} ${sizes.medium}`}>
      <CoveringInput
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {checked && <Check size={16} />}
      {children}
    </label>
  );
}
