import type { ComponentProps } from 'react';
import styles from '#kit/forms/forms.module.css';

interface InputBoxProps extends ComponentProps<'div'> {
  isInvalid?: boolean | undefined;
  isDisabled?: boolean | undefined;
  isMultiline?: boolean | undefined;
}

/** The frame of an input, with what stands in it beside the input. */
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
      className={`field-box ${styles.box} ${className}`}
      data-invalid={isInvalid || undefined}
      data-disabled={isDisabled || undefined}
      data-multiline={isMultiline || undefined}
    />
  );
}
