import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../format-moment.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { TypedText } from '../ui/typed-text.tsx';
import { ActIcon } from './act-icon.tsx';
import styles from './activity.module.css';
import type { Told } from './story.ts';
import { useActText } from './use-act-text.ts';
import { useFieldTexts } from './use-field-texts.ts';
import { useNobodyText } from './use-nobody-text.ts';

interface StoryEntryProps {
  entry: Told;
  /** In a line's own story its name would be in every entry. */
  isOfLine: boolean;
}

export function StoryEntry({ entry, isOfLine }: StoryEntryProps) {
  const { i18n } = useTranslation();
  const { source, action, created_at, moved } = entry;
  return (
    <li className={styles.entry}>
      <time dateTime={created_at}>{formatTime(Date.parse(created_at), i18n.language)}</time>
      <ActIcon action={source === 'push' ? 'push' : action} />
      <div className={styles.what}>
        <p className={styles.title}>
          <Title entry={entry} /> {!isOfLine && <Subject entry={entry} />}
        </p>
        <About entry={entry} />
        <Details entry={entry} />
      </div>
      {moved && <Amount moved={moved} />}
    </li>
  );
}

function Title({ entry: { source, action, push } }: { entry: Told }) {
  const { t } = useTranslation('activity');
  const actText = useActText();
  if (source === 'transfer') return t(`transfers.${action}` as 'transfers.sale');
  if (!push) return actText(action);
  const server = push.server_name ?? t('deletedServer');
  return t(push.ok ? 'push.delivered' : 'push.failed', { server });
}

function Subject({ entry }: { entry: Told }) {
  const { subject_type, subject_id, subject_name, subject_exists } = entry;
  if (subject_type !== 'line' || !subject_name || !subject_id) return null;
  const name = <TypedText>{subject_name}</TypedText>;
  if (!subject_exists) return name;
  return (
    <Link to="/users/edit/$id" params={{ id: subject_id }} className={styles.link}>
      {name}
    </Link>
  );
}

/** The second line: who did it, why, and what became of it on the server. */
function About({ entry }: { entry: Told }) {
  const { t } = useTranslation('activity');
  const findingText = useFindingText();
  const { source, action, actor, note, push, delivered, moved } = entry;
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  const nobodyText = useNobodyText();
  const by = actor ? (actor.name ?? t('otherAccount')) : nobodyText(action);
  const other = moved?.other && (moved.other.name ?? t('otherAccount'));
  const parts = [
    source !== 'push' && t('by', { name: by }),
    other && t(moved.amount > 0 ? 'fromAccount' : 'toAccount', { name: other }),
    note && `“${note}”`,
    delivered &&
      t('push.deliveredAfter', {
        server: delivered.server_name ?? t('deletedServer'),
        seconds: seconds(delivered.took_ms),
      }),
    push?.ok && t('push.after', { seconds: seconds(push.took_ms) }),
    push && push.failures > 0 && t('push.failures', { count: push.failures }),
    push && !push.ok && findingText(push.finding),
  ].filter((part): part is string => Boolean(part));
  return (
    <p className={styles.quiet}>
      {parts.map((part, index) => (
        <span key={part}>
          {index > 0 && ' · '}
          <TypedText>{part}</TypedText>
        </span>
      ))}
    </p>
  );
}

/** The changed fields, and for administrators also the address that the change came from. */
function Details({ entry }: { entry: Told }) {
  const { t } = useTranslation('activity');
  const { t: common } = useTranslation();
  const id = useId();
  const fields = useFieldTexts();
  const [isOpen, setOpen] = useState(false);
  const { changes, address, request_id } = entry;
  if (changes.length === 0 && !address) return null;
  return (
    <>
      <span className={styles.more}>
        <Button
          variant="text"
          size="small"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('hideDetails') : common('error.details')}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      </span>
      <dl id={id} className={styles.details} hidden={!isOpen}>
        {changes.map(({ field, before, after }) => (
          <div key={field}>
            <dt>{fields.name(field)}</dt>
            <dd>
              {field === 'password' ? (
                t('passwordChanged')
              ) : (
                <TypedText>{`${fields.value(before)} → ${fields.value(after)}`}</TypedText>
              )}
            </dd>
          </div>
        ))}
        {address && (
          <div>
            <dt>{t('address')}</dt>
            <dd>{address}</dd>
          </div>
        )}
        {request_id && (
          <div>
            <dt>{t('request')}</dt>
            <dd>{request_id}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Amount({ moved }: { moved: NonNullable<Told['moved']> }) {
  const { t } = useTranslation('activity');
  const { t: common } = useTranslation();
  const { amount, balance_after } = moved;
  const value = common('number', { value: Math.abs(amount) });
  return (
    <span className={styles.amount} data-up={amount > 0 || undefined}>
      {amount > 0 ? `+${value}` : `−${value}`}
      {balance_after !== null && (
        <small title={t('balanceAfter')}>= {common('number', { value: balance_after })}</small>
      )}
    </span>
  );
}
