import type { Settings } from '@linekeeper/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { publicSettingsQuery } from '../../shared/data/settings.ts';
import { FieldFrame } from '../../shared/forms/fields/field-frame.tsx';
import { SelectBox } from '../../shared/forms/fields/select-input.tsx';
import { useField } from '../../shared/forms/fields/use-field.ts';
import { hourOfDay } from './hour-of-day.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: hourOfDay(hour),
}));

/** From which hour of the panel's day owners are reminded. */
export function ReminderHour({ control }: { control: Control<Partial<Settings>, unknown> }) {
  const { t } = useTranslation('settings');
  const { data } = useQuery(publicSettingsQuery());
  const { field, frame, input } = useField({
    control,
    name: 'reminder_hour',
    label: t('fields.reminder_hour'),
    hint: t('panel.reminderHourHint', { zone: data?.time_zone ?? '' }),
  });
  return (
    <FieldFrame {...frame}>
      <SelectBox
        {...input}
        value={String(field.value ?? '')}
        onChange={(hour) => field.onChange(Number(hour))}
        onBlur={field.onBlur}
        boxRef={field.ref}
        options={hours}
      />
    </FieldFrame>
  );
}
