import type { CreditFigures } from '@linekeeper/contract/dashboard.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import { Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../shared/i18n/format-number.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { ChartCard } from '../../shared/ui/charts/chart-card.tsx';
import { axisDay } from './days.ts';

interface CreditsProps {
  credits: CreditFigures;
}

/** What all accounts together spent on lines, day by day. */
export function SoldCard({ credits: { days, spent, spent_before } }: CreditsProps) {
  const { t, i18n } = useTranslation('dashboard');
  const today = days.at(-1)?.spent ?? 0;
  return (
    <ChartCard
      title={t('sold.title')}
      summary={t('sold.summary', { spent, before: spent_before })}
      chart={{
        points: days.map((one) => ({
          label: axisDay(one.day),
          value: one.spent,
          text: () => t('sold.onDay', { day: formatDay(one.day), count: one.spent }),
        })),
        shape: 'bars',
        begins: 'last',
      }}
      legend={[{ text: t('sold.legend', { today }) }]}
      table={() => ({
        columns: [t('day'), t('sold.title')],
        rows: days.toReversed().map((one) => ({
          key: one.day,
          cells: [formatDay(one.day), formatNumber(one.spent, i18n.language)],
        })),
      })}
    />
  );
}

/** The account's balance at the end of each day, and what it spent on lines. */
export function BalanceCard({ credits: { days, spent } }: CreditsProps) {
  const { t, i18n } = useTranslation('dashboard');
  const number = (value: number) => formatNumber(value, i18n.language);
  const balances = days.map((one) => ({ ...one, balance: one.balance ?? 0 }));
  return (
    <ChartCard
      title={t('balance.title')}
      summary={t('balance.summary', { spent })}
      chart={{
        points: balances.map((one) => ({
          label: axisDay(one.day),
          value: one.balance,
          text: () =>
            t('balance.onDay', {
              day: formatDay(one.day),
              count: one.balance,
              spent: one.spent,
            }),
        })),
        shape: 'steps',
        begins: 'last',
      }}
      table={() => ({
        columns: [t('day'), t('balance.spent'), t('balance.title')],
        rows: balances.toReversed().map((one) => ({
          key: one.day,
          cells: [formatDay(one.day), number(one.spent), number(one.balance)],
        })),
      })}
      action={
        <ButtonLink to="/payments/pricing" fullWidth icon={<Wallet aria-hidden="true" />}>
          {t('topUp')}
        </ButtonLink>
      }
    />
  );
}
