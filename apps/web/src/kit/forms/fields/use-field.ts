import type { ErrorData } from '@linekeeper/contract/errors.ts';
import { useCallback, useEffect, useId, useRef } from 'react';
import {
  type Control,
  type FieldError,
  type FieldPath,
  type FieldValues,
  type RefCallBack,
  useController,
} from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { rememberChoice, rememberLabel, unmadeChoice } from '#kit/forms/field-labels.ts';
import { isKnownCode, useCodeText } from '#platform/i18n/use-error-text.ts';

/** Props of every field component. */
export interface FieldProps<Values extends FieldValues, Output> {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  label: string;
  required?: boolean;
  hint?: React.ReactNode;
  /** An error that the schema does not check, for example because a chosen server has failed in the meantime. */
  problem?: string | undefined;
  disabled?: boolean;
}

/** Returns a function that translates the error of a field. */
export function useFieldErrorText(): (error: FieldError | undefined) => string | undefined {
  const codeText = useCodeText();
  return (error) => {
    const message = error?.message;
    if (!message) return undefined;
    const { data } = error as { data?: ErrorData };
    return isKnownCode(message) ? codeText(message, data) : message;
  };
}

/** Returns the sentence that asks for a choice in a field with this name. */
function useChoiceText(name: string): string {
  const { t } = useTranslation();
  if (name === 'server_id') return t('form.choose.server');
  if (name === 'group_id') return t('form.choose.group');
  const isAccount = /^(owner|account|user|receiver)_id$/.test(name);
  return t(isAccount ? 'form.choose.account' : 'form.choose.option');
}

/**
 * Connects a form field with its label, hint and error. `isChoice` is for inputs that offer values
 * and accept no others: an empty one asks for a choice.
 */
export function useField<Values extends FieldValues, Output>(
  { control, name, label, required, hint, problem }: FieldProps<Values, Output>,
  { isChoice = false } = {},
) {
  const choiceText = useChoiceText(name);
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const fieldErrorText = useFieldErrorText();
  if (isChoice) rememberChoice(control, name, choiceText);
  const errorText =
    (fieldState.error && unmadeChoice(control, name, field.value)) ??
    fieldErrorText(fieldState.error) ??
    problem;
  useEffect(() => rememberLabel(control, name, label), [control, name, label]);
  const helpId = errorText || hint ? `${id}-help` : undefined;
  return {
    field,
    frame: { id, helpId, label, required, hint, errorText },
    input: {
      id,
      'aria-invalid': errorText ? true : undefined,
      'aria-required': required || undefined,
      'aria-describedby': helpId,
    },
  };
}

/**
 * A ref callback for the first field of a form. It passes the element on to `ref` and, if `isAsked`, focuses the first
 * element that is mounted. An element that replaces it later does not take the focus again.
 */
export function useFirstFocus(ref: RefCallBack, isAsked = false): RefCallBack {
  const isDue = useRef(isAsked);
  return useCallback(
    (box) => {
      ref(box);
      if (!box || !isDue.current) return;
      isDue.current = false;
      box.focus();
    },
    [ref],
  );
}
