import { ChevronDown } from 'lucide-react';
import { isolate } from '#platform/i18n/isolate.ts';

interface ChoiceSelectProps {
  id?: string;
  /** Where no label stands beside it. */
  label?: string;
  value: string;
  /** The option that chooses nothing. */
  none: string;
  options: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
}

export function ChoiceSelect({ id, label, value, none, options, onChange }: ChoiceSelectProps) {
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
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {isolate(option.text)}
          </option>
        ))}
      </select>
      <ChevronDown size={16} />
    </span>
  );
}
