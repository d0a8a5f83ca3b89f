import { type LineDetailName, lineDetails } from '@linekeeper/contract/fields/line-details.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { TextBox } from '#kit/forms/fields/text-box.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { type FieldProps, useField } from '#kit/forms/fields/use-field.ts';
import { minorOfTyped, typedPrice } from '#platform/format/money.ts';
import { languageNames } from '#platform/i18n/languages.ts';

interface DetailProps<Values extends FieldValues, Output>
  extends Pick<FieldProps<Values, Output>, 'control'> {
  name: FieldPath<Values> & LineDetailName;
}

/** The input of an optional field of a line, such as its description, of the kind that `lineDetails` declares. */
export function DetailInput<Values extends FieldValues, Output>(
  props: DetailProps<Values, Output>,
) {
  const { t } = useTranslation();
  const { kind } = lineDetails[props.name];
  const field = { ...props, label: t(`field.${props.name as LineDetailName}`) };
  const currency = { ...field, name: 'currency' as FieldPath<Values>, label: t('field.currency') };
  switch (kind) {
    case 'language':
      return <LanguageInput {...field} />;
    case 'price':
      return (
        <div className="grid grid-cols-[minmax(0,1fr)_112px] items-start gap-4">
          <PriceInput {...field} />
          <TextInput {...currency} placeholder="EUR" maxLength={3} autoComplete="off" />
        </div>
      );
    case 'currency':
      // The price's input contains the currency.
      return null;
    case 'tel':
      return <TextInput {...field} hint={t('field.phoneHint')} type="tel" autoComplete="off" />;
    case 'lines':
      return <TextInput {...field} multiline autoComplete="off" />;
    default:
      return <TextInput {...field} type={kind} autoComplete="off" />;
  }
}

/** The languages of texts for a customer, as the options of a field; without one, that of the seller counts. */
export function useLanguageOptions() {
  const { t } = useTranslation();
  return [
    { value: '', label: t('field.languageOfSeller') },
    ...languages.map((value) => ({ value, label: languageNames[value] })),
  ];
}

function LanguageInput<Values extends FieldValues, Output>(props: FieldProps<Values, Output>) {
  const { field, frame, input } = useField(props);
  return (
    <FieldFrame {...frame}>
      <SelectBox
        {...input}
        value={field.value ?? ''}
        onChange={(value) => field.onChange(value ?? '')}
        onBlur={field.onBlur}
        boxRef={field.ref}
        options={useLanguageOptions()}
      />
    </FieldFrame>
  );
}

/** An input for a price as people write it. Its value is in hundredths, or the typed text if that is not a price. */
function PriceInput<Values extends FieldValues, Output>(props: FieldProps<Values, Output>) {
  const { field, frame, input } = useField(props);
  const stored: unknown = field.value ?? '';
  const [typed, setTyped] = useState('');
  const shown = typeof stored === 'number' ? typedPrice(stored) : String(stored);
  return (
    <TextBox
      frame={frame}
      input={{
        ...input,
        name: field.name,
        ref: field.ref,
        // A price stays as it was typed until another value is stored.
        value: minorOfTyped(typed) === stored ? typed : shown,
        onBlur: field.onBlur,
        onChange: ({ target: { value } }) => {
          setTyped(value);
          field.onChange(minorOfTyped(value));
        },
      }}
      autoComplete="off"
    />
  );
}
