import { useId } from 'react';
import { CoveringInput } from './covering-input.tsx';

interface SegmentsProps<Value extends string> {
  /** Name of the choice, for screen readers. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

const SEGMENT =
  'flex items-center text-text-2 relative min-h-7 py-0 px-3 rounded-[6px] type-[600_12px/18px_var(--font)] text-center cursor-pointer [&:hover]:text-text phone:min-h-10';
const CHOSEN =
  '[&:has(:checked)]:bg-paper [&:has(:checked)]:text-text [&:has(:checked)]:[box-shadow:0_0_2px_rgba(145,158,171,0.4)] forced-colors:[&:has(:checked)]:[outline:2px_solid_Highlight] forced-colors:[&:has(:checked)]:-outline-offset-2';
const FOCUSED =
  '[&:has(:focus-visible)]:[outline:2px_solid_var(--color-primary)] [&:has(:focus-visible)]:outline-offset-2';

/** A choice between two to four short words, side by side in one bar. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, options, onChange } = props;
  const name = useId();
  return (
    <div
      className="inline-flex flex-none justify-self-start max-w-full p-0.5 rounded-control bg-head"
      role="radiogroup"
      aria-label={label}
    >
      {options.map((option) => (
        <label className={`${SEGMENT} ${CHOSEN} ${FOCUSED}`} key={option.value}>
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
