import type { ReactNode } from 'react';
import { TypedText } from '#kit/ui/typed-text.tsx';

export interface SelectOption {
  value: string;
  label: string;
  /** Secondary text beside the label. */
  description?: string;
  /** Coloured dot before the label. */
  tone?: 'success' | 'warning' | 'error' | 'neutral';
  /** Content before the label, for example a flag. */
  icon?: ReactNode;
  /** Content instead of the label, for example a badge with the same meaning. */
  drawn?: ReactNode;
  disabled?: boolean;
}

const ROW = 'flex items-center gap-x-2.5 min-w-0 small-phone:gap-x-1.5';
const TEXT = 'min-w-0 overflow-hidden text-ellipsis';

/**
 * The looks of an option. In the list, long text wraps. In the box, the name is cut, and the content beside it stays.
 */
const looks = {
  list: {
    row: `${ROW} flex-wrap`,
    label: `${TEXT} wrap-anywhere`,
    description: `${TEXT} wrap-anywhere`,
  },
  box: {
    row: `${ROW} flex-auto phone:flex-wrap`,
    label: `${TEXT} whitespace-nowrap [overflow-wrap:normal]`,
    description: `${TEXT} flex-none max-w-[50%] whitespace-nowrap [overflow-wrap:normal] phone:max-w-full`,
  },
};

interface OptionTextProps {
  option: SelectOption;
  place: 'list' | 'box';
}

/** The text of an option, in the list of a select and in its closed box. */
export function OptionText({ option, place }: OptionTextProps) {
  const { row, label, description } = looks[place];
  return (
    <span className={row}>
      {option.icon}
      {option.tone && (
        <span
          className="flex-none w-2 h-2 rounded-[50%] bg-icon-quiet data-[tone=success]:bg-chart-4 data-[tone=warning]:bg-chart-3 data-[tone=error]:bg-danger"
          data-tone={option.tone}
        />
      )}
      {option.drawn ?? (
        <span className={label}>
          <TypedText>{option.label}</TypedText>
        </span>
      )}
      {option.description && (
        <span className={`text-text-2 ${description}`}>{option.description}</span>
      )}
    </span>
  );
}
