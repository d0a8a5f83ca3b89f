import { ChevronDown } from 'lucide-react';
import { isolate } from '#platform/i18n/isolate.ts';

interface Option {
  value: string;
  text: string;
}

interface ChoiceSelectProps {
  id?: string;
  /** The label; undefined if another element labels the field. */
  label?: string;
  value: string;
  /** The label of the option that chooses nothing. */
  none: string;
  options: readonly Option[];
  /** Options that few people need, behind the others. */
  rare?: { label: string; options: readonly Option[] };
  onChange: (value: string) => void;
}

export function ChoiceSelect(props: ChoiceSelectProps) {
  const { id, label, value, none, options, rare, onChange } = props;
  return (
    <span
      className="field-box relative flex items-center max-w-70 h-10 my-0.5 py-0 px-3 data-empty:text-text-2 [&_select]:[appearance:none] [&_select]:cursor-pointer [&_option]:text-text [&_svg]:pointer-events-none phone:h-11"
      data-empty={value === '' || undefined}
    >
      <select
        id={id}
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{none}</option>
        {options.map(drawn)}
        {rare && <optgroup label={rare.label}>{rare.options.map(drawn)}</optgroup>}
      </select>
      <ChevronDown size={16} />
    </span>
  );
}

const drawn = ({ value, text }: Option) => (
  <option key={value} value={value}>
    {isolate(text)}
  </option>
);
