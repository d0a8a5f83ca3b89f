import { type ComponentProps, type ReactNode, useId } from 'react';

interface SwitchRowProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
}

interface SwitchFieldProps {
  checked: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}

const KNOB =
  "after:content-[''] after:absolute after:start-[3px] after:top-[3px] after:w-3.5 after:h-3.5 after:rounded-[50%] after:bg-[#fff] [&:checked::after]:start-[19px]";
const SWITCH = `relative flex-none w-9 h-5 rounded-[10px] [appearance:none] bg-icon-quiet cursor-pointer checked:bg-primary ${KNOB}`;

interface SwitchProps
  extends Pick<ComponentProps<'input'>, 'id' | 'disabled' | 'aria-label' | 'aria-describedby'> {
  checked: boolean;
  onChange: (isOn: boolean) => void;
}

/** A switch without a label, for a row or column that names it. */
export function Switch({ checked, onChange, ...input }: SwitchProps) {
  return (
    <input
      {...input}
      type="checkbox"
      role="switch"
      aria-checked={checked}
      className={SWITCH}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}

/** A switch with its label behind it, among the fields of a form. */
export function SwitchField({ children, ...input }: SwitchFieldProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex items-center gap-3 min-h-11 cursor-pointer">
      <Switch {...input} id={id} />
      {children}
    </label>
  );
}

/** A switch with its label and a hint beside it. */
export function SwitchRow({ label, hint, ...input }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-4 relative min-h-14 py-2 px-0 [&+&]:border-t [&+&]:border-t-divider [&_label]:font-semibold [&_label]:cursor-pointer">
      <div className="flex-1 min-w-0">
        <label htmlFor={id} className="covers">
          {label}
        </label>
        {hint && (
          <p className="text-text-2 type-caption" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
      <Switch {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
    </div>
  );
}
