import { formatDay, parseDay } from '@linekeeper/contract/dates.ts';
import { LAST_DAY } from '@linekeeper/contract/pricing.ts';
import { CalendarDays } from 'lucide-react';
import { useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { type FieldProps, useField, useFirstFocus } from '#kit/forms/fields/use-field.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';

interface DayBoxProps {
  id: string;
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  name?: string;
  ref?: React.Ref<HTMLInputElement>;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
  'aria-required'?: boolean | undefined;
}

const FIRST_DAY = '1900-01-01';
export const DAY_LENGTH = 'DD-MM-YYYY'.length;

/** Text input for a day (DD-MM-YYYY or YYYY-MM-DD) with a button for the browser's calendar. */
export function DayBox({ value, onChange, ...input }: DayBoxProps) {
  const { t } = useTranslation();
  const calendar = useRef<HTMLInputElement>(null);
  const pick = () => {
    try {
      calendar.current?.showPicker();
    } catch {
      // Browsers without `showPicker` still accept typed text.
    }
  };
  return (
    <InputBox isInvalid={input['aria-invalid']}>
      <input
        {...input}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        placeholder={t('dayForm')}
        autoComplete="off"
        inputMode="text"
        maxLength={DAY_LENGTH}
      />
      {/* The input is invisible: only its native calendar is shown, below the field. */}
      <span className="relative flex-none -me-2 [&>input]:absolute [&>input]:inset-0 [&>input]:w-full [&>input]:opacity-0 [&>input]:pointer-events-none">
        <input
          ref={calendar}
          type="date"
          tabIndex={-1}
          aria-hidden="true"
          min={FIRST_DAY}
          max={LAST_DAY}
          value={parseDay(value.trim()) ?? ''}
          onChange={({ target }) => target.value && onChange(formatDay(target.value))}
        />
        <IconButton size="small" label={t('picker.day.choose')} onClick={pick}>
          <CalendarDays size={18} />
        </IconButton>
      </span>
    </InputBox>
  );
}

interface DayInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  autoFocus?: boolean;
}

/** An input that stores the day as it was typed. */
export function DayInput<Values extends FieldValues, Output>({
  autoFocus,
  ...props
}: DayInputProps<Values, Output>) {
  const { field, frame, input } = useField(props);
  const ref = useFirstFocus(field.ref, autoFocus);
  return (
    <FieldFrame {...frame}>
      <DayBox
        {...input}
        ref={ref}
        name={field.name}
        value={field.value ?? ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  );
}
