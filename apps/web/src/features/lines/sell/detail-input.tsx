import { type LineDetailName, lineDetails } from '@linekeeper/contract/fields/line-details.ts';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../../shared/forms/fields/field-frame.tsx';
import { SelectBox } from '../../../shared/forms/fields/select-input.tsx';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { type FieldProps, useField } from '../../../shared/forms/fields/use-field.ts';
import { DayInput } from '../../../shared/forms/pickers/day-picker.tsx';
import { SwitchField } from '../../../shared/ui/controls/switch-row.tsx';

interface DetailProps<Values extends FieldValues, Output>
  extends Pick<FieldProps<Values, Output>, 'control'> {
  name: FieldPath<Values> & LineDetailName;
}

/** The input of a detail of a line, by its declared kind. */
export function DetailInput<Values extends FieldValues, Output>(
  props: DetailProps<Values, Output>,
) {
  const { t } = useTranslation();
  const { kind } = lineDetails[props.name];
  const field = { ...props, label: t(`field.${props.name as LineDetailName}`) };
  if (kind === 'day') return <DayInput {...field} />;
  if (kind === 'switch' || typeof kind === 'object') return <ChosenDetail {...field} kind={kind} />;
  const look = kind === 'lines' ? { multiline: true } : { type: kind };
  return <TextInput {...field} {...look} autoComplete="off" />;
}

/** A switch, or one of several choices or none. */
function ChosenDetail<Values extends FieldValues, Output>(
  props: FieldProps<Values, Output> & { kind: 'switch' | readonly string[] },
) {
  const { t } = useTranslation();
  const { field, frame, input } = useField(props, { isChoice: true });
  const { kind, label } = props;
  if (kind === 'switch') {
    return (
      <SwitchField checked={field.value ?? false} onChange={field.onChange}>
        {label}
      </SwitchField>
    );
  }
  const labelOf = (value: string) => t(`choice.${value}` as 'field.name');
  return (
    <FieldFrame {...frame}>
      <SelectBox
        {...input}
        value={field.value ?? ''}
        onChange={(value) => field.onChange(value ?? '')}
        onBlur={field.onBlur}
        boxRef={field.ref}
        options={['', ...kind].map((value) => ({ value, label: value && labelOf(value) }))}
      />
    </FieldFrame>
  );
}
