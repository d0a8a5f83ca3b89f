import { type LineDetailName, lineDetails } from '@linekeeper/contract/fields/line-details.ts';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import type { FieldProps } from '#kit/forms/fields/use-field.ts';

interface DetailProps<Values extends FieldValues, Output>
  extends Pick<FieldProps<Values, Output>, 'control'> {
  name: FieldPath<Values> & LineDetailName;
}

/** The input of an optional field of a line, such as its description: of one line or several, as `lineDetails` says. */
export function DetailInput<Values extends FieldValues, Output>(
  props: DetailProps<Values, Output>,
) {
  const { t } = useTranslation();
  const { kind } = lineDetails[props.name];
  const field = { ...props, label: t(`field.${props.name as LineDetailName}`) };
  const look = kind === 'lines' ? { multiline: true } : { type: kind };
  return <TextInput {...field} {...look} autoComplete="off" />;
}
