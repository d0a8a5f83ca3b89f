import { prices } from '@linekeeper/contract/credits.ts';
import { type Day, parseDay, showDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdempotencyKey } from '../../shared/api/use-idempotency-key.ts';
import { useCodeText } from '../../shared/i18n/use-error-text.ts';
import { useMe } from '../../shared/session.ts';
import { useToday } from '../../shared/settings.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { DayField } from './day-field.tsx';
import { ExpiryBadge } from './expiry-badge.tsx';
import { type RenewalTerm, useRenewLine } from './queries.ts';
import { RefusedChange } from './refused-change.tsx';
import styles from './renew-form.module.css';
import { isSoldUntil, renewalOf } from './renewal.ts';
import { RenewalSummary } from './renewal-summary.tsx';
import { type RenewalQuote, useRenewalQuote } from './use-renewal-quote.ts';
import { useRetrySync } from './use-retry-sync.ts';

interface RenewFormProps {
  line: Line;
  titleId: string;
  onClose: () => void;
}

/** Months of the price table, or null for a date of one's own. */
type Choice = number | null;
const FIRST_CHOICE = 12;
const DAY_LENGTH = 'DD-MM-YYYY'.length;

/** What is asked for, as the API takes it; null while the date is none. */
function termOf(choice: Choice, dayText: string): RenewalTerm | null {
  if (choice !== null) return { subscription_months: choice };
  const expiry_date = parseDay(dayText.trim());
  return expiry_date && isSoldUntil(expiry_date) ? { expiry_date } : null;
}

function useRenewal(line: Line, onClose: () => void) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const keyFor = useIdempotencyKey();
  const { mutateAsync, isPending, error } = useRenewLine(line.id);
  const renew = async (body: RenewalTerm) => {
    try {
      const { line: renewed, cost, sync } = await mutateAsync({ body, key: keyFor(body) });
      onClose();
      const { username, expiry_date } = renewed;
      if (sync.ok) toast.success(t('renew.done', { username, day: showDay(expiry_date) }));
      else warn(sync.message, t(cost > 0 ? 'done.savedAndPaid' : 'done.saved'));
    } catch {
      // The form shows it, with what to do.
    }
  };
  return { renew, isPending, error };
}

/** Sells more time. Nothing is shown as done before the panel has answered. */
export function RenewForm({ line, titleId, onClose }: RenewFormProps) {
  const { t } = useTranslation('lines');
  const [choice, setChoice] = useState<Choice>(FIRST_CHOICE);
  const [dayText, setDayText] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isLeft, setLeft] = useState(false);
  const { renew, isPending, error } = useRenewal(line, onClose);
  const term = termOf(choice, dayText);
  const quote = useRenewalQuote(line, term);
  const isShort = term !== null && quote.balance_after < 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (term && !isShort && !isPending) void renew(term);
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <span className={styles.handle} aria-hidden="true" />
      <h2 id={titleId}>{t('renew.of', { username: line.username })}</h2>
      <div className={styles.now}>
        {t('renew.expires')} <ExpiryBadge day={line.expiry_date} />
      </div>
      <Choices line={line} value={choice} onChange={setChoice} titleId={titleId} />
      {choice === null && (
        <div className={styles.day}>
          <DayField
            label={t('renew.date')}
            value={dayText}
            onChange={setDayText}
            onBlur={() => setLeft(dayText !== '')}
            isWrong={term === null && (isChecked || isLeft || dayText.length >= DAY_LENGTH)}
            autoFocus
          />
        </div>
      )}
      <RenewalSummary quote={term && quote} isEarlier={isEarlier(quote, line.expiry_date)} />
      {isShort ? <NotEnough quote={quote} /> : error && <RefusedChange error={error} />}
      <div className={styles.actions}>
        <Button type="submit" variant="solid" pending={isPending} disabled={isShort}>
          <Effect quote={term && quote} />
        </Button>
        <Button onClick={onClose} disabled={isPending}>
          {t('add.cancel')}
        </Button>
      </div>
    </form>
  );
}

function isEarlier(quote: RenewalQuote, expiry: Day): boolean {
  return quote.expiry_date < expiry;
}

/** Said before the panel has to refuse it. */
function NotEnough({ quote: { cost, balance } }: { quote: RenewalQuote }) {
  const { t } = useTranslation('lines');
  const codeText = useCodeText();
  return (
    <Banner
      tone="error"
      title={codeText('INSUFFICIENT_CREDITS', { required: cost, available: balance })}
      isAlert
    >
      {t('add.adviceCredits')}
    </Banner>
  );
}

/** What the button does, in words. */
function Effect({ quote }: { quote: RenewalQuote | null }) {
  const { t } = useTranslation('lines');
  if (useMe().is_admin || !quote) return t('renew.renew');
  return quote.cost > 0 ? t('renew.confirm', { count: quote.cost }) : t('renew.confirmFree');
}

interface ChoicesProps {
  line: Line;
  value: Choice;
  onChange: (choice: Choice) => void;
  titleId: string;
}

function Choices({ line, value, onChange, titleId }: ChoicesProps) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  const today = useToday();
  const { is_admin } = useMe();
  const name = useId();
  const radio = (months: Choice) => ({
    type: 'radio',
    name,
    checked: value === months,
    onChange: () => onChange(months),
    // The chosen one: Enter sells, the arrows choose.
    ref: focusWhen(months === FIRST_CHOICE),
  });
  return (
    <div className={styles.options} role="radiogroup" aria-labelledby={titleId}>
      {prices.map(({ months, cost }) => (
        <label key={months} className={styles.option}>
          <input {...radio(months)} />
          <b>{common('credits.months', { count: months })}</b>
          <span className={styles.until}>
            {showDay(
              renewalOf({ subscription_months: months }, line.expiry_date, today).expiry_date,
            )}
          </span>
          <span className={styles.cost}>
            {is_admin ? (
              t('add.free')
            ) : (
              <>
                <b>{cost}</b> {t('add.credits', { count: cost })}
              </>
            )}
          </span>
        </label>
      ))}
      <label className={styles.option}>
        <input {...radio(null)} />
        <b>{t('renew.otherDate')}</b>
      </label>
    </div>
  );
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

function focusWhen(isFirst: boolean) {
  return isFirst ? takeFocus : undefined;
}
