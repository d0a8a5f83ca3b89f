import { formatDay } from '@linekeeper/contract/dates.ts';
import { useTranslation } from 'react-i18next';
import { useGroupName } from '../data/groups.ts';
import { labelKeys } from './label-keys.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Names the fields of a change, and shows what they held. */
export function useFieldTexts() {
  const { t, i18n } = useTranslation();
  const groupName = useGroupName();
  return {
    name: (field: string): string => {
      const key = labelKeys(field).find((one) => i18n.exists(one));
      return key ? t(key as 'field.email') : field;
    },
    value: (field: string, value: unknown): string => {
      if (typeof value === 'boolean') return t(value ? 'answer.yes' : 'answer.no');
      return field === 'group_id' && typeof value === 'string'
        ? groupName(value)
        : shownValue(value);
    },
  };
}

/** Formats the value of a field: days like everywhere else, labels by their text. */
function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'string') return DAY.test(value) ? formatDay(value) : value;
  if (Array.isArray(value)) return value.map(labelOf).join(', ') || '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function labelOf(value: unknown): string {
  const isLabelled = typeof value === 'object' && value !== null && 'label' in value;
  return isLabelled ? String(value.label) : shownValue(value);
}
