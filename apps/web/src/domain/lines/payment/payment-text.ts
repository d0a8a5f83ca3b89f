import { daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import type { LinePayment } from '@linekeeper/contract/fields/payment.ts';
import { amountText } from '@linekeeper/contract/text/own-texts.ts';
import { useTranslation } from 'react-i18next';
import { useToday } from '#platform/data/settings.ts';
import { languageOr, localeOf } from '#platform/i18n/languages.ts';

/** Days ahead for which a day is named by its weekday. */
const WEEK = 6;

export function useAmountText() {
  const { t, i18n } = useTranslation();
  return (amount_minor: number | null, currency: string | null) =>
    amount_minor === null
      ? t('payment.unknown')
      : amountText(amount_minor, currency, languageOr(i18n.language));
}

/** Returns a debt in words: '30 EUR by Friday', or '25 EUR since today'. */
export function useDebtText() {
  const { t, i18n } = useTranslation();
  const today = useToday();
  const amountOf = useAmountText();
  return ({ amount_minor, currency, due, since }: Omit<LinePayment, 'state'>) => {
    const amount = amountOf(amount_minor, currency);
    if (due === null) {
      const day = new Date(since).toLocaleDateString('sv-SE');
      return day === today
        ? t('payment.sinceToday', { amount })
        : t('payment.since', { amount, day: formatDay(day) });
    }
    const ahead = daysBetween(today, due);
    const weekday = new Intl.DateTimeFormat(localeOf(i18n.language), {
      weekday: 'long',
      timeZone: 'UTC',
    }).format(new Date(due));
    return t('payment.by', { amount, day: ahead > 0 && ahead <= WEEK ? weekday : formatDay(due) });
  };
}
