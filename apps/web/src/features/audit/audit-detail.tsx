import type { AuditEntry } from '@linekeeper/contract/audit.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { valueKey } from '#domain/activity/label-keys.ts';
import { useFieldTexts } from '#domain/activity/texts.ts';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatMoment } from '#platform/format/format-moment.ts';
import { languageNames } from '#platform/i18n/languages.ts';

interface ChangedField {
  field: string;
  before?: unknown;
  after?: unknown;
  /** True if the entry holds no values, only that the field was changed. */
  isSecret?: true;
}

/** Fields whose values no entry contains; the list of fields in the request shows whether they were changed. */
const secrets = ['password'];

export function changedFields({ before, after, data }: AuditEntry): ChangedField[] {
  const given = Array.isArray(data.fields) ? data.fields : [];
  return [
    ...Object.keys({ ...before, ...after }).map((field) => ({
      field,
      before: before?.[field],
      after: after?.[field],
    })),
    ...secrets
      .filter((field) => given.includes(field))
      .map((field) => ({ field, isSecret: true as const })),
  ];
}

export function AuditDetail({ row: entry }: { row: AuditEntry }) {
  const { t } = useTranslation('audit');
  const { name: nameOf } = useFieldTexts();
  const textOf = useValueTexts(entry);
  const changes = changedFields(entry);
  const facts = Object.entries(entry.data).filter(([name]) => name !== 'fields');
  return (
    <div className="grid grid-cols-1 gap-3 phone:[margin-block:12px_4px]">
      {changes.length > 0 ? (
        <Changes changes={changes} textOf={textOf} />
      ) : (
        <p className="text-text-2">{t('nothingChanged')}</p>
      )}
      {facts.length > 0 && (
        <dl className="flex flex-wrap items-stretch gap-y-1 gap-x-6 type-caption">
          {facts.map(([name, value]) => (
            <div className="flex items-stretch gap-2 min-w-0 wrap-anywhere" key={name}>
              <dt>{nameOf(name)}</dt>
              <dd>
                <TypedText>{textOf(name, value)}</TypedText>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Origin entry={entry} />
    </div>
  );
}

/** The look of a changed field; on a phone its name is above the two values. */
const ROW =
  'grid grid-cols-[160px_minmax(0,1fr)_minmax(0,1fr)] *:py-2 *:px-4 *:wrap-anywhere phone:grid-cols-2 phone:*:pt-1 phone:*:px-3 phone:[&>dt]:pt-2 phone:[&>dt]:pb-0';

interface ChangesProps {
  changes: readonly ChangedField[];
  textOf: (field: string, value: unknown) => string;
}

function Changes({ changes, textOf }: ChangesProps) {
  const { t } = useTranslation('audit');
  const { t: activity } = useTranslation('activity');
  const { name: nameOf } = useFieldTexts();
  return (
    <dl className="divided overflow-hidden border border-divider-strong rounded-[12px] bg-paper">
      <div
        className={`${ROW} bg-head text-text-2 type-[600_12px/18px_var(--font)] phone:hidden`}
        aria-hidden="true"
      >
        <span>{t('field')}</span>
        <span>{t('field.before')}</span>
        <span>{t('field.after')}</span>
      </div>
      {changes.map(({ field, before, after, isSecret }) => (
        <div key={field} className={`${ROW} min-h-10`}>
          <dt className="text-inherit phone:col-span-full phone:font-semibold">{nameOf(field)}</dt>
          {isSecret ? (
            <dd className="col-[2/4] text-text-2 phone:col-span-full">
              {activity('passwordChanged')}
            </dd>
          ) : (
            <>
              <dd className="bg-[#fff5f2] before:content-['−_'] before:text-error-fg before:font-bold">
                <span className="visually-hidden">{t('field.before')}: </span>
                <Held value={before} textOf={(value) => textOf(field, value)} />
              </dd>
              <dd className="bg-[#f1fbf5] before:content-['+_'] before:text-success-fg before:font-bold">
                <span className="visually-hidden">{t('field.after')}: </span>
                <Held value={after} textOf={(value) => textOf(field, value)} />
              </dd>
            </>
          )}
        </div>
      ))}
    </dl>
  );
}

/** A value before or after; empty if there was none. */
function Held({ value, textOf }: { value: unknown; textOf: (value: unknown) => string }) {
  if (value === null || value === undefined) return null;
  return <TypedText>{textOf(value)}</TypedText>;
}

function Origin({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const { address, request_id, subject_id, subject_name } = entry;
  return (
    <p className="flex flex-wrap items-stretch gap-y-1 gap-x-6 text-text-2 type-caption min-w-0 wrap-anywhere">
      {address && <span>{t('from', { address })}</span>}
      {request_id && (
        <>
          <span title={request_id}>{t('request', { id: request_id.slice(0, 8) })}</span>
          <Link to="/audit" search={{ q: request_id }} className="link">
            {t('ofRequest')}
          </Link>
        </>
      )}
      {subject_name && (
        <Link to="/audit" search={{ q: subject_id }} className="link">
          {t('aboutSubject', { name: subject_name })}
        </Link>
      )}
    </p>
  );
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Returns a function that shows a field's value as the pages of its subject do; unknown values are not translated. */
function useValueTexts({ subject_type, names }: AuditEntry) {
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
