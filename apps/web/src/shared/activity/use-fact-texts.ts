import type { ActFacts } from '@linekeeper/contract/audit.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../format/format-moment.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Says in words what an act was about: how long, how much, how many, which code and why. */
export function useFactTexts(): (facts: ActFacts, action: string) => string[] {
  const { t, i18n } = useTranslation('activity');
  const credits = (count: number) => t('credits.amount', { count });
  const signed = (amount: number) => `${amount < 0 ? '−' : '+'}${credits(Math.abs(amount))}`;
  return ({ months, until, cost, credits: about, count, lines, code, label, reason }, action) => {
    const ofBalance = action.startsWith('credits.');
    return [
      count !== null && t('facts.codes', { count }),
      about !== null && ofBalance && signed(about),
      about !== null && !ofBalance && count === null && credits(about),
      about !== null && count !== null && t('facts.each', { count: about }),
      code && t('facts.code', { code }),
      months !== null && t('credits.months', { count: months }),
      until &&
        t('until', {
          day: DAY.test(until) ? formatDay(until) : formatMoment(until, i18n.language),
        }),
      cost !== null && t('facts.cost', { count: cost }),
      lines !== null && t('facts.lines', { count: lines }),
      label && t('quoted', { text: label }),
      reason && t('quoted', { text: reason }),
    ].filter((text) => typeof text === 'string' && text !== '') as string[];
  };
}
