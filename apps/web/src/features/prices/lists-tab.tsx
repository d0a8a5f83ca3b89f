import { deletePriceList, type PriceList } from '@linekeeper/contract/credits/price-lists.ts';
import { useQuery } from '@tanstack/react-query';
import { ListOrdered, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allPricesQuery, type Prices } from '#domain/prices/prices.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';
import { useFactorText } from './factor.ts';
import { pricesByPlan, usePlanNames } from './plan-prices.ts';
import { PriceCells } from './price-cells.tsx';
import { priceListsQuery } from './queries.ts';
import { WhyCard } from './why-card.tsx';

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
