import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import {
  type FileFault,
  type FileFaultCode,
  faultText,
  fileFaults,
  lineFields,
} from '@linekeeper/line-files/faults.ts';
import { useTranslation } from 'react-i18next';
import { isolate } from '#platform/i18n/isolate.ts';
import { isKnownCode, useCodeText } from '#platform/i18n/use-error-text.ts';

export function faultError(fault: FileFault): NonNullable<JobItem['error']> {
  const { code, data, field } = fault;
  return { code, message: faultText(fault), data, field: field || null };
}

function isFault(code: string): code is FileFaultCode {
  return Object.hasOwn(fileFaults, code);
}

/** Returns a function that gives the reason why a row cannot be imported, with its column, or ''. */
export function useRowReason(): (error: JobItem['error']) => string {
  const { t } = useTranslation('bulk');
  const codeText = useCodeText();
  return (error) => {
    if (!error) return '';
    const { code, data, message } = error;
    const known = isKnownCode(code) ? codeText(code, data) : isolate(message);
    const text = isFault(code) ? t(`import.fault.${code}`, data) : known;
    const field = lineFields.find((name) => name === error.field);
    return field ? `${t(`field.${field}`)}: ${text}` : text;
  };
}
