import { type LineDetailName, lineDetails } from '@linekeeper/contract/fields/line-details.ts';
import { type BulkEditField, bulkEditFields } from '@linekeeper/contract/lines/bulk.ts';
import { lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import { serverProtocols } from '@linekeeper/contract/servers/choices.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguageOptions } from '#features/lines/sell/detail-input.tsx';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { minorOfTyped } from '#platform/format/money.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';
import type { BulkChangeOf, ChoiceProps } from './bulk-change.ts';

/** Statuses to choose from. 'Expired' follows from the date, and suspending is a separate action. */
const statuses = ['active', 'inactive'] as const;
const protocols = serverProtocols.map((label) => ({ value: label.toLowerCase(), label }));

type EditChange = BulkChangeOf<'edit'>;

/**
 * The choice of a status and of fields that all selected lines get. A field that is not chosen
 * stays unchanged in each line.
 */
export function EditChoice({ change, onChange }: ChoiceProps<EditChange>) {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const id = useId();
  const optionsOf = useOptions();
  const firstText = (field: BulkEditField) => optionsOf(field)[0]?.value ?? '';
  const [kept, setKept] = useState<Record<string, string>>({});
  const chosen = bulkEditFields.filter((field) => change[field] !== undefined);
  const set = (field: BulkEditField, text: string | undefined) => {
    if (text !== undefined) setKept({ ...kept, [field]: text });
    onChange({ ...change, [field]: text === undefined ? undefined : asSent(field, text) });
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <fieldset className="grid grid-cols-1 gap-2">
        <legend>{lines('field.status')}</legend>
        <div className="flex flex-wrap items-stretch gap-2 mt-2">
          {[undefined, ...statuses].map((status) => (
            <RadioPill
              key={status ?? ''}
              size="medium"
              name={`${id}-status`}
              checked={change.status === status}
              onChange={() => onChange({ ...change, status })}
            >
              {status ? lines(`status.${status}`) : t('preview.keep')}
            </RadioPill>
          ))}
        </div>
      </fieldset>
      <fieldset className="grid grid-cols-1 gap-2">
        <legend>{t('preview.replace')}</legend>
        <div className="grid grid-cols-3 gap-y-1 gap-x-4 phone:grid-cols-2">
          {bulkEditFields.map((field) => (
            <CheckboxField
              key={field}
              checked={change[field] !== undefined}
              onChange={(isChecked) =>
                set(field, isChecked ? (kept[field] ?? firstText(field)) : undefined)
              }
            >
              {t(`field.${field}`)}
            </CheckboxField>
          ))}
        </div>
      </fieldset>
      {chosen.map((field) => (
        <NewValue
          key={field}
          field={field}
          text={kept[field] ?? firstText(field)}
          onChange={(text) => set(field, text)}
        />
      ))}
    </div>
  );
}

/** The values that can be chosen for a field; empty for a field into which any text can be typed. */
function useOptions() {
  const languages = useLanguageOptions();
  return (field: BulkEditField) =>
    field === 'protocol' ? protocols : field === 'language' ? languages : [];
}

/** The value of an input for the request. Addresses are typed one per row. */
function asSent(field: BulkEditField, text: string) {
  if (field === 'price_minor') return minorOfTyped(text);
  if (field !== 'host_port') return text;
  return text
    .split('\n')
    .map((address) => address.trim())
    .filter(Boolean);
}

/** The error with which the panel would refuse an input; undefined for a valid one. */
function problemOf(field: BulkEditField, text: string): string | undefined {
  return lineChanges.shape[field].safeParse(asSent(field, text)).error?.issues[0]?.message;
}

interface NewValueProps {
  field: BulkEditField;
  text: string;
  onChange: (text: string) => void;
}

/** The field for the value that all lines get. */
function NewValue({ field, text, onChange }: NewValueProps) {
  const { t } = useTranslation('bulk');
  const codeText = useCodeText();
  const id = useId();
  const problem = problemOf(field, text);
  const options = useOptions()(field);
  const isLong = lineDetails[field as LineDetailName]?.kind === 'lines' || field === 'host_port';
  const Input = isLong ? 'textarea' : 'input';
  return (
    <FieldFrame
      id={id}
      helpId={`${id}-help`}
      label={t('preview.newValue', { field: t(`field.${field}`) })}
      hint={t(field === 'host_port' ? 'preview.addressesHint' : 'preview.valueHint')}
      errorText={problem && codeText(problem as 'INVALID_VALUE')}
    >
      {options.length > 0 ? (
        <SelectBox
          id={id}
          value={text}
          options={options}
          onChange={(value) => onChange(value ?? '')}
        />
      ) : (
        <Input
          id={id}
          className="field-box w-full h-(--entry) py-0 px-3 [textarea&]:h-auto [textarea&]:py-2.5 [textarea&]:resize-y"
          dir="auto"
          autoComplete="off"
          aria-describedby={`${id}-help`}
          aria-invalid={problem !== undefined}
          value={text}
          {...(isLong && { rows: 3 })}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FieldFrame>
  );
}
