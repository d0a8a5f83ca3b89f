import { lineStatuses, syncStates } from '@linekeeper/contract/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lineCountsQuery, showCount } from '../../shared/line-counts.ts';
import { type LinesSearch, lineOrders } from '../../shared/lines-search.ts';
import { serverChoicesQuery } from '../../shared/server-choices.ts';
import { useMe } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { FilterGroup } from './filter-group.tsx';
import styles from './filter-panel.module.css';
import type { Owner } from './owner-picker.tsx';
import { linesQuery } from './queries.ts';
import { daysOf, noFilters, orderOf } from './search.ts';
import { useLinesSearch } from './use-lines-search.ts';
import { useOwner } from './use-owner.ts';

const OwnerPicker = lazy(async () => ({
  default: (await import('./owner-picker.tsx')).OwnerPicker,
}));

const EXPIRY_CHOICES = ['0d', '7d', '30d'] as const;

/** A draft of the filters; the button says how many lines it would show. */
export function FilterPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const isPhone = useIsPhone();
  const { search, change } = useLinesSearch();
  const [draft, setDraft] = useState<LinesSearch>({ ...search, cursor: undefined });
  const set = (changes: LinesSearch) => setDraft({ ...draft, ...changes });
  const apply = () => {
    void change(draft);
    onClose();
  };
  return (
    <div className={styles.panel}>
      <span className={styles.handle} aria-hidden="true" />
      <div className={styles.head}>
        <h2>{t('filter.title')}</h2>
        <Button variant="text" size="small" onClick={() => set({ ...noFilters, q: search.q })}>
          {t('filter.clearAll')}
        </Button>
      </div>
      <ExpiryAndStatus draft={draft} set={set} />
      <ServerFilter draft={draft} set={set} />
      <KindAndSync draft={draft} set={set} />
      {is_admin && <OwnerFilter draft={draft} set={set} />}
      {isPhone && <OrderChoice draft={draft} set={set} />}
      <div className={styles.apply}>
        <Button variant="solid" fullWidth onClick={apply}>
          <ShowText draft={draft} />
        </Button>
      </div>
    </div>
  );
}

interface DraftProps {
  draft: LinesSearch;
  set: (changes: LinesSearch) => void;
}

function ShowText({ draft }: { draft: LinesSearch }) {
  const { t } = useTranslation('lines');
  const { data, isPlaceholderData } = useQuery(linesQuery(draft));
  if (!data || isPlaceholderData || data.total === null) return t('filter.showAny');
  return t(data.total_is_exact === false ? 'filter.showMany' : 'filter.show', {
    count: data.total,
  });
}

function ExpiryAndStatus({ draft, set }: DraftProps) {
  const { t } = useTranslation('lines');
  const days = (expires: string) => ({
    value: expires,
    label: expires === '0d' ? t('filter.today') : t('filter.days', { count: daysOf(expires) }),
  });
  // A link may carry a number of days of its own.
  const offered = new Set<string>([...EXPIRY_CHOICES, ...(draft.expires ? [draft.expires] : [])]);
  return (
    <>
      <FilterGroup
        title={t('filter.names.expires')}
        look="pills"
        options={[...offered].map(days)}
        value={draft.expires}
        onChange={(expires) => set({ expires })}
      />
      <FilterGroup
        title={t('filter.names.status')}
        look="pills"
        options={lineStatuses.map((status) => ({ value: status, label: t(`status.${status}`) }))}
        value={draft.status}
        onChange={(status) => set({ status })}
      />
    </>
  );
}

function ServerFilter({ draft, set }: DraftProps) {
  const { t } = useTranslation('lines');
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  if (servers.length === 0) return null;
  return (
    <FilterGroup
      title={t('filter.names.server')}
      options={servers.map(({ id, server_name }) => ({ value: id, label: server_name }))}
      value={draft.server}
      onChange={(server) => set({ server })}
    />
  );
}

/** Trials and subscriptions, and what the card servers know of them. */
function KindAndSync({ draft, set }: DraftProps) {
  const { t, i18n } = useTranslation('lines');
  const { data: counts } = useQuery(lineCountsQuery());
  const counted = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${showCount(count, i18n.language)})`;
  return (
    <>
      <FilterGroup
        title={t('filter.names.trial')}
        look="pills"
        options={[
          { value: 'true', label: counted(t('filter.trials'), counts?.trials) },
          { value: 'false', label: t('filter.subscriptions') },
        ]}
        value={draft.trial === undefined ? undefined : (`${draft.trial}` as const)}
        onChange={(trial) => set({ trial: trial === undefined ? undefined : trial === 'true' })}
      />
      <FilterGroup
        title={t('filter.names.sync')}
        look="pills"
        options={syncStates.map((state) => ({
          value: state,
          label:
            state === 'failed'
              ? counted(t('sync.notOnServer'), counts?.not_synced)
              : t(`filter.syncStates.${state}`),
        }))}
        value={draft.sync}
        onChange={(sync) => set({ sync })}
      />
    </>
  );
}

/** Whose the lines are, for those who see more than their own. */
function OwnerFilter({ draft, set }: DraftProps) {
  const { t } = useTranslation('lines');
  const id = useId();
  const known = useOwner(draft.owner);
  const [chosen, setChosen] = useState<Owner | null>(null);
  const owner = [chosen, known].find((one) => one?.id === draft.owner) ?? null;
  return (
    <div className={styles.group}>
      <label className={styles.legend} htmlFor={id}>
        {t('filter.names.owner')}
      </label>
      <Suspense fallback={<div className={styles.later} />}>
        <OwnerPicker
          // What is named outside, such as by Clear all, is shown inside.
          key={owner?.id ?? ''}
          id={id}
          value={owner}
          placeholder={t('filter.any')}
          onChange={(next) => {
            setChosen(next);
            set({ owner: next?.id });
          }}
        />
      </Suspense>
    </div>
  );
}

/** A phone has no column heads to sort by. */
function OrderChoice({ draft, set }: DraftProps) {
  const { t } = useTranslation('lines');
  return (
    <fieldset className={styles.group} data-look="pills">
      <legend>{t('filter.order')}</legend>
      <div className={styles.options}>
        {lineOrders.map((order) => (
          <label key={order} className={styles.option}>
            <input
              type="radio"
              name="order"
              checked={orderOf(draft) === order}
              onChange={() => set({ sort: order === '-added_date' ? undefined : order })}
            />
            <span>{t(`filter.orders.${order}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
