import type { ActFacts } from '@linekeeper/contract/audit.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import { useTranslation } from 'react-i18next';
import { useGroupName } from '#domain/accounts/groups.ts';
import { formatMoment } from '#platform/format/format-moment.ts';
import { labelKeys } from './label-keys.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Translates the name of a changed field, and formats its values. */
export function useFieldTexts() {
  const { t, i18n } = useTranslation();
  const groupName = useGroupName();
  return {
    name: (field: string): string => {
      const key = labelKeys(field).find((one) => i18n.exists(one));
      return key ? t(key as 'field.email') : field;
    },
    value: (field: string, value: unknown): string => {
      if (typeof value === 'boolean') return t(value ? 'answer.yes' : 'answer.no');
      return field === 'group_id' && typeof value === 'string'
        ? groupName(value)
        : shownValue(value);
    },
  };
}

/** Formats the value of a field: days as in the rest of the panel, labels by their text. */
function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'string') return DAY.test(value) ? formatDay(value) : value;
  if (Array.isArray(value)) return value.map(labelOf).join(', ') || '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function labelOf(value: unknown): string {
  const isLabelled = typeof value === 'object' && value !== null && 'label' in value;
  return isLabelled ? String(value.label) : shownValue(value);
}

/** Translates an audit action. An action that is unknown to this version is shown untranslated. */
export function useActText(): (action: string) => string {
  const { t, i18n } = useTranslation('activity');
  return (action) => {
    const key = `activity:actions.${action}`;
    return i18n.exists(key) ? t(`actions.${action}` as 'actions.line.create') : action;
  };
}

/** Returns the facts of an act as short texts, such as its credits, months, code and reason. */
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
      about !== null && count !== null && t('credits.each', { count: about }),
      code && t('facts.code', { code }),
      months !== null && t('credits.months', { count: months }),
      until &&
        t('until', {
          day: DAY.test(until) ? formatDay(until) : formatMoment(until, i18n.language),
        }),
      cost !== null && t('facts.cost', { credits: credits(cost) }),
      lines !== null && t('facts.lines', { count: lines }),
      label && t('quoted', { text: label }),
      reason && t('quoted', { text: reason }),
    ].filter((text) => typeof text === 'string' && text !== '') as string[];
  };
}

/** Actions of visitors, who are not signed in. */
const actsOfVisitors = ['account.wrong_password', 'account.mail_link', 'account.reset_password'];
/** Actions of the operator of the machine. */
const actsOfOperator = ['account.reset_on_machine'];

/**
 * Returns a function that names the actor of an act without an account: a visitor, the operator of
 * the machine, or the panel.
 */
export function useNobodyText(): (action: string) => string {
  const { t } = useTranslation('activity');
  return (action) => {
    if (actsOfVisitors.includes(action)) return t('visitor');
    return t(actsOfOperator.includes(action) ? 'operator' : 'recurring.panel');
  };
}
