import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { type FieldProps, useField } from '#kit/forms/fields/use-field.ts';
import { type Found, OFFERED, SearchPicker } from '#kit/forms/pickers/search-picker.tsx';
import { callQuery } from '#platform/api/call-query.ts';

type NamedLine = Pick<Line, 'id' | 'username'>;

const asFound = ({ id, username }: NamedLine): Found => ({ id, label: username });

/** Searches lines in the same way as their list. */
const useFoundLines = (q: string) =>
  useQuery(
    callQuery('lines', listLines, {
      query: { q, limit: OFFERED, sort: '-added_date' },
      select: ({ items }) => items.map(asFound),
      placeholderData: keepPreviousData,
    }),
  );

interface LineInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  /** The line whose id the field has at first. */
  initial: NamedLine | null;
}

/** A form field that stores a line's id, or none, and shows its name. */
export function LineInput<Values extends FieldValues, Output>(
  props: LineInputProps<Values, Output>,
) {
  const { t } = useTranslation();
  const { initial } = props;
  const { field, frame, input } = useField(props);
  const [chosen, setChosen] = useState<Found | null>(null);
  const known =
    [chosen, initial && asFound(initial)].find((line) => line?.id === field.value) ?? null;
  return (
    <FieldFrame {...frame}>
      <SearchPicker
        key={initial?.id}
        id={input.id}
        aria-describedby={input['aria-describedby']}
        value={known}
        onChange={(line) => {
          setChosen(line);
          field.onChange(line?.id);
        }}
        onBlur={field.onBlur}
        useFound={useFoundLines}
        nothing={t('picker.noLine')}
      />
    </FieldFrame>
  );
}
