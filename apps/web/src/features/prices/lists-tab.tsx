import { listPrices } from '@linekeeper/contract/accounts/accounts.ts';
import { deletePriceList, type PriceList } from '@linekeeper/contract/credits/price-lists.ts';
import { useQuery } from '@tanstack/react-query';
import { ListOrdered, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountPicker } from '#domain/accounts/account-picker.tsx';
import { accountQuery, type NamedAccount } from '#domain/accounts/accounts.ts';
import { allPricesQuery, type Prices } from '#domain/prices/prices.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';
import { useFactorText } from './factor.ts';
import { isSame, pricesByPlan, type Term, usePlanNames } from './plan-prices.ts';
import { PriceCells, PriceTable } from './price-cells.tsx';
import { priceListsQuery } from './queries.ts';

/** The tab with the reader's price lists, and the prices of an account with each. */
export function ListsTab() {
  const { t } = useTranslation('prices');
  const lists = useQuery(priceListsQuery());
  const own = useQuery(allPricesQuery());
  const failed = [lists, own].find(({ error, data }) => error && !data);
  if (!lists.data || !own.data) {
    return (
      <Card flush className="min-h-83">
        {failed && <FailedPanel error={failed.error} onRetry={() => void failed.refetch()} />}
      </Card>
    );
  }
  const prices = own.data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,560px)] items-start gap-6 tablet:grid-cols-1 phone:gap-4">
      <div className="grid grid-cols-1 gap-6 phone:gap-4">
        {lists.data.items.map((list) => (
          <ListCard key={list.id} list={list} own={prices} />
        ))}
        {lists.data.items.length === 0 && (
          <Card>
            <EmptyPanel icon={<ListOrdered />} title={t('lists.none')} text={t('lists.noneText')} />
          </Card>
        )}
        <p className="px-2 text-text-2 type-caption">{t('lists.inherited')}</p>
      </div>
      <WhyCard own={prices} />
    </div>
  );
}

const ListDialog = lazyPart(() => import('./list-dialog.tsx'), 'ListDialog');

interface ListCardProps {
  list: PriceList;
  own: Prices;
}

function ListCard({ list, own }: ListCardProps) {
  const { t } = useTranslation('prices');
  const { is_admin } = useMe();
  const factorText = useFactorText();
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const { name, factor, account_count } = list;
  const kind = factor === null ? 'terms' : 'factor';
  const close = () => setAsked(null);
  return (
    <Card flush aria-label={name}>
      <div className="flex items-start justify-between gap-4 p-(--card-pad) pb-4">
        <div className="min-w-0 wrap-anywhere">
          <h2>
            <TypedText>{name}</TypedText>
          </h2>
          <CardSummary>{t(`lists.${kind}.${is_admin ? 'ofPanel' : 'ofSeller'}`)}</CardSummary>
        </div>
        <Button
          size="small"
          aria-label={t('editOf', { name })}
          onPointerEnter={ListDialog.fetch}
          onClick={() => setAsked('edit')}
        >
          {t('action.edit')}
        </Button>
      </div>
      <div className="mx-(--card-pad) mb-4">
        {factor === null ? (
          <ListPrices list={list} own={own} />
        ) : (
          <p className="flex items-center gap-4 py-3 px-4 rounded-[12px] bg-head text-neutral-fg type-caption">
            <b className="flex-none text-text type-[700_24px/32px_var(--font)] tracking-[-0.01em]">
              {factorText(factor)}
            </b>
            {t('lists.roundedUp')}
          </p>
        )}
      </div>
      <div className="flex items-center justify-between gap-3 min-h-16 py-3 px-(--card-pad) border-t border-t-divider">
        <span className="type-strong">{t('lists.accounts', { count: account_count })}</span>
        <IconButton size="small" label={t('deleteOf', { name })} onClick={() => setAsked('delete')}>
          <Trash2 size={18} />
        </IconButton>
      </div>
      {asked === 'edit' && <ListDialog list={list} onClose={close} />}
      {asked === 'delete' && <DeleteDialog list={list} onClose={close} />}
    </Card>
  );
}

/** Prices of the plans that a list contains. */
function ListPrices({ list: { terms }, own }: ListCardProps) {
  const { t } = useTranslation('prices');
  const rows = pricesByPlan(own, usePlanNames()).filter(
    ({ plan_id, name }) => name === undefined || terms.some((term) => term.plan_id === plan_id),
  );
  return (
    <div className="grid grid-cols-1 gap-3">
      {rows.map(({ plan_id, name, prices }) => (
        <div key={plan_id}>
          {name !== undefined && (
            <p className="mb-1 text-text-2 type-caption">
              <TypedText>{name}</TypedText>
            </p>
          )}
          <PriceCells
            label={name ?? t('credits.prices')}
            cells={prices.map(({ months, cost }) => {
              const named = terms.find(
                (term) => term.plan_id === plan_id && term.months === months,
              );
              return { months, cost: named?.credits ?? cost, isQuiet: named === undefined };
            })}
          />
        </div>
      ))}
    </div>
  );
}

function DeleteDialog({ list, onClose }: { list: PriceList; onClose: () => void }) {
  const { t } = useTranslation('prices');
  const { name } = list;
  return (
    <ConfirmAction
      command={useCommand(deletePriceList, { params: { id: list.id }, refreshes: ['credits'] })}
      tone="danger"
      title={t('askDelete', { name })}
      confirmLabel={t('lists.delete')}
      done={() => results.success(t('deleted', { name }))}
      onClose={onClose}
    />
  );
}

const nameOf = ({ full_name, email }: NamedAccount) => full_name || email;

/** The card about the price that an account pays and the list that decides it, beside the reader's own price. */
function WhyCard({ own }: { own: Prices }) {
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
