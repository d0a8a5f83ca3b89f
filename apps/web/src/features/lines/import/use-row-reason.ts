import { type FileFaultCode, fileFaults, lineFields } from '@linekeeper/contract/files/faults.ts';
import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { useItemReason } from '../../../shared/jobs/use-item-reason.ts';

function isFault(code: string): code is FileFaultCode {
  return Object.hasOwn(fileFaults, code);
}

/** Gives the reason why a row cannot be imported, with its column, or ''. */
export function useRowReason(): (item: JobItem) => string {
  const { t } = useTranslation('bulk');
  const itemReason = useItemReason();
  return (item) => {
    const { error } = item;
    if (!error) return '';
    const text = isFault(error.code)
      ? t(`import.fault.${error.code}`, error.data)
      : itemReason(item);
    const field = lineFields.find((name) => name === error.field);
    return field ? `${t(`field.${field}`)}: ${text}` : text;
  };
}
