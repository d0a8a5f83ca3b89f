import { listPrices } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountPicker } from '#domain/accounts/account-picker.tsx';
import { accountQuery, type NamedAccount } from '#domain/accounts/accounts.ts';
import type { Prices } from '#domain/prices/prices.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';
import { isSame, pricesByPlan, type Term, usePlanNames } from './plan-prices.ts';
import { PriceCells, PriceTable } from './price-cells.tsx';

const nameOf = ({ full_name, email }: NamedAccount) => full_name || email;

/** The card about the price that an account pays and the list that decides it, beside the reader's own price. */
export function WhyCard({ own }: { own: Prices }) {
  const { t } = useTranslation('prices');
  const id = useId();
  const [account, setAccount] = useState<NamedAccount | null>(null);
  const title = account ? t('why.titleOf', { name: nameOf(account) }) : t('why.title');
  return (
    <Card title={title}>
      <FieldFrame id={id} label={t('field.account')}>
        <AccountPicker id={id} value={account} onChange={setAccount} />
      </FieldFrame>
      {account && <PricesOf key={account.id} account={account} own={own} />}
    </Card>
  );
}

function PricesOf({ account, own }: { account: NamedAccount; own: Prices }) {
  const { t } = useTranslation('prices');
  const prices = useQuery(callQuery('credits', listPrices, { query: { account_id: account.id } }));
  const stored = useQuery(accountQuery(account.id));
  const [chosen, setChosen] = useState<Term>();
  const names = usePlanNames();
  const reasonOf = useReason();
  const failed = [prices, stored].find(({ error, data }) => error && !data);
  if (failed) return <FailedPanel error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!prices.data || !stored.data) return <div className="min-h-40" />;
  const ownCost = (term: Term) => own.find(isSame(term))?.cost;
  const rows = pricesByPlan(prices.data, names);
  const all = rows.flatMap((row) => row.prices);
  const special = all.find((price) => price.cost !== ownCost(price));
  const shown = (chosen && all.find(isSame(chosen))) ?? special ?? all[0];
  const cellsOf = (ofPlan: Prices) =>
    ofPlan.map((price) => ({ months: price.months, cost: price.cost, instead: ownCost(price) }));
  const label = t('why.titleOf', { name: nameOf(account) });
  const [only] = rows;
  const plan = rows.find(({ plan_id }) => plan_id === shown?.plan_id)?.name;
  return (
    <div className="grid grid-cols-1 gap-4 mt-6">
      {only && rows.length === 1 ? (
        <PriceCells
          label={label}
          cells={cellsOf(only.prices)}
          chosen={shown?.months}
          onChoose={(months) => setChosen({ plan_id: only.plan_id, months })}
        />
      ) : (
        <PriceTable
          label={label}
          rows={rows.map((row) => ({ ...row, cells: cellsOf(row.prices) }))}
          isChosen={(term) => shown !== undefined && isSame(term)(shown)}
          onChoose={setChosen}
        />
      )}
      {shown && (
        <p className="type-card" aria-live="polite">
          {t(`why.${reasonOf(shown, ownCost(shown), stored.data.price_list_id)}`, {
            name: nameOf(account),
            credits: t('credits.amount', { count: shown.cost }),
            term: [t('credits.months', { count: shown.months }), plan].filter(Boolean).join(' '),
            list: shown.from?.name ?? '',
          })}
        </p>
      )}
    </div>
  );
}

/**
 * Returns the origin of a price. Sellers see only their own lists, so any other list must be from the account above.
 */
function useReason() {
  const { is_admin } = useMe();
  return ({ from, cost }: Prices[number], own: number | undefined, listId: string | null) => {
    if (from) return from.id === listId ? 'byList' : 'byListAbove';
    if (is_admin) return 'byPanel';
    return cost === own ? 'asAbove' : 'byAbove';
  };
}
