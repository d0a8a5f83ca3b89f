import { parseDay, showDay } from '@linekeeper/contract/dates.ts';
import { CalendarDays } from 'lucide-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/forms/field-frame.tsx';
import formStyles from '../../shared/forms/forms.module.css';
import { useCodeText } from '../../shared/i18n/use-error-text.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './day-field.module.css';

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
const LAST_DAY = '2099-12-31';

/** A day as text, DD-MM-YYYY or YYYY-MM-DD, and the browser's own calendar beside it. */
export function DayBox({ value, onChange, ...input }: DayBoxProps) {
  const { t } = useTranslation('lines');
  const calendar = useRef<HTMLInputElement>(null);
  const pick = () => {
    try {
      calendar.current?.showPicker();
    } catch {
      // A browser without one: the text is enough.
    }
  };
  return (
    <div className={formStyles.box} data-invalid={input['aria-invalid'] || undefined}>
      <input
        {...input}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        placeholder={t('day.form')}
        autoComplete="off"
        inputMode="text"
        maxLength={10}
      />
      <span className={styles.calendar}>
        <input
          ref={calendar}
          type="date"
          tabIndex={-1}
          aria-hidden="true"
          min={FIRST_DAY}
          max={LAST_DAY}
          value={parseDay(value.trim()) ?? ''}
          onChange={({ target }) => target.value && onChange(showDay(target.value))}
        />
        <IconButton size="small" label={t('day.choose')} onClick={pick}>
          <CalendarDays size={18} aria-hidden="true" />
        </IconButton>
      </span>
    </div>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  isWrong: boolean;
  autoFocus?: boolean;
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** The same with its label, outside the forms of the contract. */
export function DayField({ label, value, onChange, onBlur, isWrong, autoFocus }: DayFieldProps) {
  const id = useId();
  const codeText = useCodeText();
  const helpId = `${id}-help`;
  return (
    <FieldFrame
      id={id}
      helpId={helpId}
      label={label}
      errorText={isWrong ? codeText('INVALID_EXPIRY_DATE') : undefined}
    >
      <DayBox
        id={id}
        value={value}
        onChange={onChange}
        {...(onBlur ? { onBlur } : {})}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? helpId : undefined}
        {...(autoFocus ? { ref: takeFocus } : {})}
      />
    </FieldFrame>
  );
}
