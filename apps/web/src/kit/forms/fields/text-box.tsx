import type {
  ComponentProps,
  FocusEvent,
  HTMLInputAutoCompleteAttribute,
  MouseEvent,
  ReactNode,
  Ref,
} from 'react';
import { FieldFrame } from './field-frame.tsx';
import { InputBox } from './input-box.tsx';
import { showWhole } from './show-whole.ts';

/** Appearance and accepted input of a text field, independent of where its value is kept. */
export interface TextLook {
  type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'tel' | 'search';
  autoComplete?: HTMLInputAutoCompleteAttribute;
  placeholder?: string;
  multiline?: boolean;
  rows?: number;
  maxLength?: number;
  readOnly?: boolean;
  disabled?: boolean;
  spellCheck?: boolean;
  /** The word on the Enter key of a phone's keyboard. */
  enterKeyHint?: 'next';
  startAdornment?: ReactNode;
  endAdornment?: ReactNode;
  /** Content at the end of the label's row, for example a link. */
  labelAside?: ReactNode;
}

interface TextBoxProps extends TextLook {
  frame: Omit<ComponentProps<typeof FieldFrame>, 'aside' | 'children'>;
  input: {
    id: string;
    name: string;
    ref: Ref<HTMLInputElement & HTMLTextAreaElement>;
    value: string | number;
    onBlur: (() => void) | undefined;
    onChange: (event: { target: { value: string } }) => void;
    onFocus?: (event: FocusEvent<HTMLInputElement & HTMLTextAreaElement>) => void;
    onClick?: (event: MouseEvent<HTMLInputElement & HTMLTextAreaElement>) => void;
    'aria-invalid': boolean | undefined;
    'aria-required': true | undefined;
    'aria-describedby': string | undefined;
  };
}

/** A text field with its frame, for use without a form library. */
export function TextBox({ frame, input, ...look }: TextBoxProps) {
  const { type = 'text', multiline, rows = 2, startAdornment, endAdornment, labelAside } = look;
  const isNumber = type === 'number';
  const shared = {
    ...input,
    disabled: look.disabled,
    readOnly: look.readOnly,
    autoComplete: look.autoComplete,
    placeholder: look.placeholder,
    maxLength: look.maxLength,
    spellCheck: look.spellCheck,
    enterKeyHint: look.enterKeyHint,
    // The direction follows the typed letters, regardless of the page's language.
    dir: multiline || type === 'text' || type === 'search' ? 'auto' : undefined,
  };
  return (
    <FieldFrame {...frame} aside={labelAside}>
      <InputBox
        isInvalid={frame.errorText !== undefined}
        isDisabled={look.disabled || look.readOnly}
        isMultiline={multiline}
      >
        {startAdornment}
        {multiline ? (
          <textarea {...shared} rows={rows} onKeyUp={showWhole} />
        ) : (
          // The type is not `number`, which accepts "1e5" and drops other invalid text.
          <input
            {...shared}
            type={isNumber ? 'text' : type}
            inputMode={isNumber ? 'numeric' : undefined}
          />
        )}
        {endAdornment}
      </InputBox>
    </FieldFrame>
  );
}
