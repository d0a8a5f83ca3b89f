import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { useItemReason } from '../../../shared/jobs/use-item-reason.ts';
import { importFields } from './import-fields.ts';

/** Gives the reason why a row cannot be imported, with its column, or ''. */
export function useRowReason(): (item: JobItem) => string {
  const { t } = useTranslation('bulk');
  const itemReason = useItemReason();
  return (item) => {
    const { error } = item;
    if (!error) return '';
    const text = itemReason(item);
    const field = importFields.find((name) => name === error.field);
    return field ? `${t(`field.${field}`)}: ${text}` : text;
  };
}
