import type { ReactNode } from 'react';
import styles from '#kit/forms/forms.module.css';
import { TypedText } from '#kit/ui/typed-text.tsx';

export interface SelectOption {
  value: string;
  label: string;
  /** Secondary text beside the label. */
  description?: string;
  /** Coloured dot before the label. */
  tone?: 'success' | 'warning' | 'error' | 'neutral';
  /** Before the label, for example a flag. */
  icon?: ReactNode;
  /** Drawn in the label's place, for example a badge that says the same. */
  drawn?: ReactNode;
  disabled?: boolean;
}

/** An option as the list of a select and its closed box show it. */
export function OptionText({ option }: { option: SelectOption }) {
  return (
    <span className={styles.option}>
      {option.icon}
      {option.tone && (
        <span
          className="flex-none w-2 h-2 rounded-[50%] bg-icon-quiet data-[tone=success]:bg-chart-4 data-[tone=warning]:bg-chart-3 data-[tone=error]:bg-danger"
          data-tone={option.tone}
        />
      )}
      {option.drawn ?? (
        <span>
          <TypedText>{option.label}</TypedText>
        </span>
      )}
      {option.description && <span className="text-text-2">{option.description}</span>}
    </span>
  );
}
