import { isSuspendedLabel, statusColor } from '@linekeeper/contract/fields/line-fields.ts';
import { lineStatuses } from '@linekeeper/contract/lists/lists.ts';
import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { type FieldProps, useField } from '#kit/forms/fields/use-field.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useStatusText } from '#platform/i18n/use-status-text.ts';
import { entriesOf } from './edit-line-schema.ts';

const MOST_LABELS = 5;
const MAX_LENGTH = 40;

/**
 * The input of status labels, one per line of text: known ones by buttons, others typed. The label "Suspended" cannot
 * be added or removed here, because suspending is a separate action.
 */
export function StatusInput<Values extends FieldValues, Output>(props: FieldProps<Values, Output>) {
  const { t } = useTranslation('lines');
  const statusText = useStatusText();
  const { field, frame, input } = useField({ ...props, hint: t('edit.statusHint') });
  const [own, setOwn] = useState('');
  const labels = entriesOf(field.value ?? '');
  const has = (label: string) => labels.some((one) => one.toLowerCase() === label.toLowerCase());
  const isFull = labels.length >= MOST_LABELS;
  const keep = (next: string[]) => field.onChange(next.join('\n'));
  const add = (label: string) => {
    if (label && !has(label) && !isFull) keep([...labels, label]);
  };
  const addOwn = () => {
    add(own.trim());
    setOwn('');
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Without this, Enter would submit the form.
    event.preventDefault();
    addOwn();
  };
  return (
    <FieldFrame {...frame}>
      <ul className="flex flex-wrap items-stretch gap-2 min-h-6 [&_button]:grid [&_button]:place-items-center [&_button]:w-7 [&_button]:h-7 [&_button]:rounded-[50%] [&_button]:text-icon [&_button]:hover:bg-head [&_button]:phone:w-11 [&_button]:phone:h-11">
        {labels.map((label) => (
          <li className="flex items-center" key={label}>
            <Badge tone={statusColor(label)}>{statusText(label)}</Badge>
            {!isSuspendedLabel({ label }) && (
              <button
                type="button"
                aria-label={t('removeOf', { name: statusText(label) })}
                onClick={() => keep(labels.filter((one) => one !== label))}
              >
                <X size={14} strokeWidth={2} aria-hidden="true" />
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-stretch gap-2 mt-2">
        {lineStatuses
          .filter((label) => !has(label) && !isSuspendedLabel({ label }))
          .map((label) => (
            <Button key={label} size="small" disabled={isFull} onClick={() => add(label)}>
              <Plus size={14} aria-hidden="true" />
              {statusText(label)}
            </Button>
          ))}
      </div>
      <div className="flex items-stretch gap-2 mt-2 [&>button]:h-11 [&>button]:phone:h-12">
        <InputBox>
          <input
            {...input}
            ref={field.ref}
            dir="auto"
            value={own}
            maxLength={MAX_LENGTH}
            placeholder={t('edit.ownStatus')}
            disabled={isFull}
            autoComplete="off"
            onChange={({ target }) => setOwn(target.value)}
            onKeyDown={addOnEnter}
            onBlur={field.onBlur}
          />
        </InputBox>
        <Button onClick={addOwn} disabled={isFull || own.trim() === ''}>
          {t('action.add')}
        </Button>
      </div>
    </FieldFrame>
  );
}
