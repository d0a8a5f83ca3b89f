import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Counted } from '#domain/accounts/limits.ts';
import type { useField } from '#kit/forms/fields/use-field.ts';
import { BoldText } from '#kit/ui/bold-text.tsx';
import { isNear } from './limit-values.ts';

interface LimitRowProps {
  frame: ReturnType<typeof useField>['frame'];
  /** The used part of the limit; undefined for a limit that is not counted. */
  counted?: Counted;
  /** The input that sets the limit. */
  children: ReactNode;
}

/** The used part of a limit, with the field that sets the limit. */
export function LimitRow({ frame, counted, children }: LimitRowProps) {
  const { id, helpId, label, hint, errorText } = frame;
  const tone = counted && isNear(counted) ? 'text-warning-fg' : 'text-text-2';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_168px] items-center gap-x-6 gap-y-2 min-h-18 py-3.5 phone:grid-cols-[minmax(0,1fr)_172px] phone:gap-x-4 small-phone:grid-cols-1">
      <div>
        <div className="flex flex-wrap justify-between gap-x-2">
          <label className="type-strong" htmlFor={id} id={`${id}-label`}>
            {label}
          </label>
          {counted && <Use counted={counted} />}
        </div>
        {counted && counted.bound !== null && <Bar {...counted} bound={counted.bound} />}
        {(errorText || hint) && (
          <p
            id={helpId}
            className={`flex items-start gap-1 mt-1 type-caption [&>svg]:flex-none [&>svg]:mt-0.5 ${errorText ? 'text-danger' : tone}`}
          >
            {errorText && <CircleAlert size={14} strokeWidth={2} />}
            <span>{errorText ?? hint}</span>
          </p>
        )}
      </div>
      {children}
    </div>
  );
}

/** The used part of a limit, such as '180 of 200'. */
function Use({ counted: { used, bound } }: { counted: Counted }) {
  const { t } = useTranslation('account');
  return (
    <span>
      {bound === null ? (
        <b>{t('number', { value: used })}</b>
      ) : (
        <BoldText>{t('limits.of', { used, bound })}</BoldText>
      )}
    </span>
  );
}

const AMBER =
  'bg-warning-bg [&::-webkit-progress-bar]:bg-warning-bg [&::-webkit-progress-value]:bg-chart-3 [&::-moz-progress-bar]:bg-chart-3';

function Bar({ used, bound, ...counted }: Counted & { bound: number }) {
  const look = isNear({ used, bound, ...counted }) ? AMBER : '';
  // With a limit of 0, the bar is full.
  const [value, max] = bound === 0 ? [1, 1] : [used, bound];
  return <progress className={`h-2 mt-2 ${look}`} value={value} max={max} aria-hidden="true" />;
}
