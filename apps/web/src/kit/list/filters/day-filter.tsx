import { formatDay, parseDay } from '@linekeeper/contract/dates.ts';
import { useId, useState } from 'react';
import { DayBox } from '#kit/forms/pickers/day-picker.tsx';
import type { FilterControlProps } from '#kit/list/use-list.ts';
import { FilterField } from './filter-field.tsx';

/** A filter by a day, which is typed or chosen. Until the input is a day, nothing is filtered. */
export function DayFilter({ name, values, onChange }: FilterControlProps) {
  const id = useId();
  const [chosen = ''] = values;
  const [typed, setTyped] = useState(chosen && formatDay(chosen));
  // The filter may be cleared from outside, which empties the field.
  const isTyped = (parseDay(typed.trim()) ?? '') === chosen;
  const change = (text: string) => {
    setTyped(text);
    const day = parseDay(text.trim());
    onChange(day ? [day] : []);
  };
  return (
    <FilterField title={name} htmlFor={id}>
      <DayBox id={id} value={isTyped ? typed : chosen && formatDay(chosen)} onChange={change} />
    </FilterField>
  );
}
