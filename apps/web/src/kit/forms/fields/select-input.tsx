import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type Ref, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { FieldFrame } from './field-frame.tsx';
import { OptionText, type SelectOption } from './option-text.tsx';
import { type FieldProps, useField } from './use-field.ts';

/** The list is loaded on first use, because a page with closed selects needs none. */
const SelectList = lazyPart(() => import('./select-list.tsx'), 'SelectList');

export interface SelectInputProps<Values extends FieldValues, Output>
  extends FieldProps<Values, Output> {
  options: readonly SelectOption[];
  placeholder?: string;
}

/** Keys that open the list of a closed select, besides Enter and Space, which press every button. */
const OPENING_KEYS = ['ArrowDown', 'ArrowUp'];

interface SelectBoxProps {
  value: string;
  onChange: (value: string | undefined) => void;
  options: readonly SelectOption[];
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  onBlur?: () => void;
  boxRef?: Ref<HTMLButtonElement>;
  id: string;
  'aria-invalid'?: boolean | undefined;
  'aria-required'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

const DISABLED =
  'disabled:border-divider-strong disabled:bg-head disabled:text-text-2 disabled:cursor-default';

/** The select without its label, whose element must have the id `{id}-label`. */
export function SelectBox(props: SelectBoxProps) {
  const { value, onChange, options, placeholder, disabled, onBlur, boxRef, id, ...aria } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const labelId = `${id}-label`;
  const chosen = options.find((option) => option.value === value);
  const open = (box: HTMLElement) => {
    // Safari does not focus a pressed button, and the closing list gives the focus back.
    box.focus();
    setAnchor(box);
  };
  // The list opens when the button is pressed down, like selects of the system; screen readers only send a click.
  const openByMouse = (event: MouseEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    // The browser would otherwise focus the box after the list has taken the focus.
    event.preventDefault();
    open(event.currentTarget);
  };
  const openByKey = (event: KeyboardEvent<HTMLElement>) => {
    if (!OPENING_KEYS.includes(event.key)) return;
    event.preventDefault();
    open(event.currentTarget);
  };
  return (
    <>
      <button
        {...aria}
        ref={boxRef}
        id={id}
        type="button"
        role="combobox"
        className={`field-box flex items-center gap-2 w-full h-(--entry) px-3 text-inherit type-entry-text cursor-pointer phone:h-auto phone:min-h-(--entry) aria-invalid:border-danger ${DISABLED}`}
        disabled={disabled}
        aria-labelledby={`${labelId} ${id}`}
        aria-haspopup="listbox"
        aria-expanded={anchor !== null}
        aria-controls={anchor ? `${id}-list` : undefined}
        onPointerEnter={SelectList.fetch}
        onFocus={SelectList.fetch}
        onMouseDown={openByMouse}
        onClick={({ currentTarget }) => open(currentTarget)}
        onKeyDown={openByKey}
        // When the focus moves into the list, it does not leave the field.
        onBlur={anchor ? undefined : onBlur}
      >
        {chosen ? (
          <OptionText option={chosen} place="box" />
        ) : (
          <span className="text-text-2">{placeholder}</span>
        )}
        <ChevronDown className="flex-none ms-auto" size={18} />
      </button>
      {anchor && (
        <SelectList
          id={`${id}-list`}
          labelId={labelId}
          anchor={anchor}
          value={value}
          options={options}
          onChoose={(option) => {
            setAnchor(null);
            if (option !== value) onChange(option || undefined);
          }}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  );
}

export function SelectInput<Values extends FieldValues, Output>(
  props: SelectInputProps<Values, Output>,
) {
  const { options, placeholder, disabled } = props;
  const { field, frame, input } = useField(props, { isChoice: true });
  return (
    <FieldFrame {...frame}>
      <SelectBox
        {...input}
        value={field.value ?? ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
        boxRef={field.ref}
        options={options}
        placeholder={placeholder}
        disabled={disabled}
      />
    </FieldFrame>
  );
}
