import type { AuditEntry } from '@linekeeper/contract/audit.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { useTranslation } from 'react-i18next';
import { valueKey } from '../../shared/activity/label-keys.ts';
import { useFieldTexts } from '../../shared/activity/use-field-texts.ts';
import { formatMoment } from '../../shared/format/format-moment.ts';
import { languageNames } from '../../shared/i18n/languages.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Says what a field of an entry held as the pages of its subject do; what they would not know stays. */
export function useValueTexts({ subject_type, names }: AuditEntry) {
  const { t, i18n } = useTranslation();
  const fields = useFieldTexts();
  return (field: string, value: unknown): string => {
    if (typeof value !== 'string') return fields.value(field, value);
    const key = valueKey(subject_type, field, value);
    if (key && i18n.exists(key)) return t(key as 'field.email');
    const language = field === 'locale' && languages.find((one) => one === value);
    if (language) return languageNames[language];
    if (MOMENT.test(value)) return formatMoment(value, i18n.language);
    return names[value] ?? fields.value(field, value);
  };
}
