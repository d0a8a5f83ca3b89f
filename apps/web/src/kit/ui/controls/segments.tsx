import { useId } from 'react';
import { CoveringInput } from './covering-input.tsx';

interface SegmentsProps<Value extends string> {
  /** Name of the choice, for those who do not see it. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** A choice between two or three short words, side by side in one bar. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, options, onChange } = props;
  const name = useId();
  return (
    <div
      className="inline-flex flex-none justify-self-start max-w-full p-0.5 rounded-control bg-head [&_label]:relative [&_label]:min-h-7 [&_label]:py-0 [&_label]:px-3 [&_label]:rounded-[6px] [&_label]:type-[600_12px/18px_var(--font)] [&_label]:text-center [&_label]:cursor-pointer [&_label:hover]:text-text [&_label:has(:checked)]:bg-paper [&_label:has(:checked)]:text-text [&_label:has(:checked)]:[box-shadow:0_0_2px_rgba(145,158,171,0.4)] [&_label:has(:focus-visible)]:[outline:2px_solid_var(--color-primary)] [&_label:has(:focus-visible)]:outline-offset-2 phone:[&_label]:min-h-10 forced-colors:[&_label:has(:checked)]:[outline:2px_solid_Highlight] forced-colors:[&_label:has(:checked)]:-outline-offset-2"
      role="radiogroup"
      aria-label={label}
    >
      {options.map((option) => (
        <label className="flex items-center text-text-2" key={option.value}>
          <CoveringInput
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
