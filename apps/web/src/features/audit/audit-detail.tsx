import type { AuditEntry } from '@linekeeper/contract/audit.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { valueKey } from '#domain/activity/label-keys.ts';
import { useFieldTexts } from '#domain/activity/texts.ts';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Divided, Muted, Row, Stack, Text } from '#kit/ui/vocabulary.tsx';
import { formatMoment } from '#platform/format/format-moment.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import styles from './audit.module.css';

interface ChangedField {
  field: string;
  before?: unknown;
  after?: unknown;
  /** True if the entry holds no values, only that the field was changed. */
  isSecret?: true;
}

/** Fields whose values no entry holds; the request's fields say whether they were changed. */
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
    <Stack gap={12} className={styles.detail}>
      {changes.length > 0 ? (
        <Changes changes={changes} textOf={textOf} />
      ) : (
        <Muted as="p">{t('nothingChanged')}</Muted>
      )}
      {facts.length > 0 && (
        <Row gap="4 24" as="dl" align="stretch" wrap caption>
          {facts.map(([name, value]) => (
            <Row align="stretch" gap={8} wraps key={name}>
              <dt>{nameOf(name)}</dt>
              <dd>
                <TypedText>{textOf(name, value)}</TypedText>
              </dd>
            </Row>
          ))}
        </Row>
      )}
      <Origin entry={entry} />
    </Stack>
  );
}

interface ChangesProps {
  changes: readonly ChangedField[];
  textOf: (field: string, value: unknown) => string;
}

function Changes({ changes, textOf }: ChangesProps) {
  const { t } = useTranslation('audit');
  const { t: activity } = useTranslation('activity');
  const { name: nameOf } = useFieldTexts();
  return (
    <Divided as="dl" className={styles.changes}>
      <div className={styles.head} aria-hidden="true">
        <span>{t('field')}</span>
        <span>{t('before')}</span>
        <span>{t('after')}</span>
      </div>
      {changes.map(({ field, before, after, isSecret }) => (
        <div key={field}>
          <Text as="dt" tone="inherit">
            {nameOf(field)}
          </Text>
          {isSecret ? (
            <dd className={styles.secret}>{activity('passwordChanged')}</dd>
          ) : (
            <>
              <dd data-side="before">
                <span className="visually-hidden">{t('before')}: </span>
                <Held value={before} textOf={(value) => textOf(field, value)} />
              </dd>
              <dd data-side="after">
                <span className="visually-hidden">{t('after')}: </span>
                <Held value={after} textOf={(value) => textOf(field, value)} />
              </dd>
            </>
          )}
        </div>
      ))}
    </Divided>
  );
}

/** Empty where there was nothing. */
function Held({ value, textOf }: { value: unknown; textOf: (value: unknown) => string }) {
  if (value === null || value === undefined) return null;
  return <TypedText>{textOf(value)}</TypedText>;
}

function Origin({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const { address, request_id, subject_id, subject_name } = entry;
  return (
    <Row gap="4 24" as="p" align="stretch" wrap muted caption wraps>
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
    </Row>
  );
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Says what a field of an entry held as the pages of its subject do; what they would not know stays. */
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
