import { mustChange } from '@linekeeper/contract/lines/receivers.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonLook } from '#kit/ui/buttons/button.tsx';

/** Lines that are shown, at most; the others are counted. */
const MOST_SHOWN = 6;

const LINES = 'overflow-hidden border border-divider rounded-control';

const tones = {
  old: 'bg-[color-mix(in_srgb,var(--color-error-bg)_50%,var(--color-paper))] [&_b]:text-error-fg',
  new: 'bg-[color-mix(in_srgb,var(--color-success-bg)_50%,var(--color-paper))] [&_b]:text-success-fg',
};

interface AddressChangeProps {
  /** C and N lines, as `enteredLines` makes them. */
  from: readonly string[];
  to: readonly string[];
  /** Number of customers with the old settings. */
  count: number;
  /** The consequences until customers change the settings. */
  explanation?: string;
  /** The address of the list of these customers; undefined while there is none. */
  listAddress?: string;
}

/** Indexes of the parts of a C or N line that are highlighted. */
const HOST = 1;
const PORT = 2;
/** Index of the part behind name and password: the bytes of the key, and the comment on the port. */
const KEY = 5;
const COMMENT = KEY + 14;

/**
 * The part in which new receiver settings differ from the old ones: host, port or both of a single C line, otherwise
 * all lines.
 */
export function whatChanges(
  from: readonly string[],
  to: readonly string[],
): 'host' | 'port' | 'both' | 'lines' {
  const [[old = ''], [next = '']] = [from, to];
  const areCLines = [old, next].every((line) => line.startsWith('C: '));
  if (from.length !== 1 || to.length !== 1 || !areCLines) return 'lines';
  const [one, other] = [old.split(' '), next.split(' ')];
  if (one[PORT] === other[PORT]) return 'host';
  return one[HOST] === other[HOST] ? 'port' : 'both';
}

/**
 * The old and new receiver settings if customers must change them, or the message that they need not change anything.
 */
export function AddressChange(props: AddressChangeProps) {
  const { from, to, count, explanation, listAddress } = props;
  const { t } = useTranslation();
  if (count === 0 || !mustChange(from, to)) {
    return (
      <div className="grid grid-cols-1 gap-2 min-w-0 wrap-anywhere" role="status">
        <h3>{t('address.nothing')}</h3>
        <dl className={LINES}>
          <Lines label={t('address.stays')} lines={to} />
        </dl>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-2 min-w-0 wrap-anywhere" role="status">
      <h3>{t(`address.${whatChanges(from, to)}`, { count })}</h3>
      <dl className={LINES}>
        <Lines label={t('address.old')} lines={from} others={to} tone="old" />
        <Lines label={t('address.new')} lines={to} others={from} tone="new" />
      </dl>
      <p className="text-text-2 type-caption">{explanation ?? t('address.explained')}</p>
      {listAddress && (
        <div>
          <a {...buttonLook({ variant: 'text', size: 'small' })} href={listAddress} download>
            {t('address.list')}
          </a>
        </div>
      )}
    </div>
  );
}

interface LinesProps {
  label: string;
  lines: readonly string[];
  /** The lines to compare with. */
  others?: readonly string[];
  tone?: 'old' | 'new';
}

function Lines({ label, lines, others, tone }: LinesProps) {
  const { t } = useTranslation();
  const more = lines.length - MOST_SHOWN;
  return (
    <div
      className={`flex items-stretch gap-4 py-2.5 px-4 ${tone ? tones[tone] : ''}`}
      data-tone={tone}
    >
      <dt className={`flex-none min-w-10 ${tone ? 'text-text' : ''}`}>{label}</dt>
      {lines.length === 0 && <dd>–</dd>}
      {lines.length > 0 && (
        <dd>
          {lines.slice(0, MOST_SHOWN).map((line, place) => (
            <div key={line}>
              <CustomerLine
                line={line}
                other={others && (others.includes(line) ? line : (others[place] ?? ''))}
              />
            </div>
          ))}
          {more > 0 && <div>{t('more', { count: more })}</div>}
        </dd>
      )}
    </div>
  );
}

interface CustomerLineProps {
  line: string;
  /** The text with which this one is compared; differences are highlighted. By default there is none. */
  other?: string | undefined;
}

/** A C or N line with placeholders for username and password. */
export function CustomerLine({ line, other = line }: CustomerLineProps) {
  const { t } = useTranslation();
  const parts = line.split(' ');
  const compared = other.split(' ');
  const isBare = parts.length <= PORT;
  const bold = (text: ReactNode, isBold: boolean) => (isBold ? <b>{text}</b> : text);
  if (isBare) return <bdi dir="ltr">{bold(line, line !== other)}</bdi>;
  const [kind, host, port] = parts;
  const tail = (from: number, to?: number) => ({
    text: parts.slice(from, to).join(' '),
    isOther: String(parts.slice(from, to)) !== String(compared.slice(from, to)),
  });
  const [key, comment] = [tail(KEY, COMMENT), tail(COMMENT)];
  return (
    <bdi dir="ltr">
      {bold(kind, kind !== compared[0])} {bold(host, host !== compared[HOST])}{' '}
      {bold(port, port !== compared[PORT])}{' '}
      <span className="text-text-2 [dl_[data-tone]_&]:text-text">
        {t('address.username')} {t('address.password')}
      </span>
      <Tail {...key} />
      <Tail {...comment} />
    </bdi>
  );
}

/** The text behind name and password, if there is any. */
function Tail({ text, isOther }: { text: string; isOther: boolean }) {
  if (!text) return null;
  return <> {isOther ? <b>{text}</b> : text}</>;
}
