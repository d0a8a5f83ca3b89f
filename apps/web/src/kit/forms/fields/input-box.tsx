import type { ComponentProps } from 'react';

interface InputBoxProps extends ComponentProps<'div'> {
  isInvalid?: boolean | undefined;
  isDisabled?: boolean | undefined;
  isMultiline?: boolean | undefined;
}

const INSIDE =
  '[&:has(>button:last-child)]:pe-1 phone:[&:has(>button:last-child)]:pe-0 [&_textarea]:h-auto [&_textarea]:resize-y';
const FILLED_IN =
  '[&_:is(input,textarea):autofill]:[-webkit-text-fill-color:var(--color-text)] [&_:is(input,textarea):autofill]:shadow-[inset_0_0_0_100px_var(--color-paper)]';
const INVALID =
  'border-danger [&:has(:is(input,textarea):focus)]:shadow-[inset_0_0_0_1px_var(--color-danger)]';
const DISABLED =
  'border-divider-strong bg-head [&_:is(input,textarea)]:text-text-2 [&_:is(input,textarea)]:[-webkit-text-fill-color:var(--color-text-2)] [&_:is(input,textarea)]:opacity-100';

/** The frame of an input, with its buttons or icons. */
export function InputBox({
  isInvalid,
  isDisabled,
  isMultiline,
  className = '',
  ...rest
}: InputBoxProps) {
  return (
    <div
      {...rest}
      className={`field-box flex gap-2 w-full px-3 type-entry-text ${INSIDE} ${FILLED_IN} ${isMultiline ? 'items-start py-2.5' : 'items-center h-(--entry)'} ${isInvalid ? INVALID : ''} ${isDisabled ? DISABLED : ''} ${className}`}
    />
  );
}
