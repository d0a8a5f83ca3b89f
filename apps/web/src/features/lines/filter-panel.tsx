import { lineStatuses } from '@linekeeper/contract/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lineCountsQuery } from '../../shared/line-counts.ts';
import type { LinesSearch } from '../../shared/lines-search.ts';
import { serverChoicesQuery } from '../../shared/server-choices.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FilterCheck, FilterGroup } from './filter-group.tsx';
import styles from './filter-panel.module.css';
import { linesQuery } from './queries.ts';
import { daysOf, noFilters } from './search.ts';
import { useLinesSearch } from './use-lines-search.ts';

const EXPIRY_CHOICES = ['0d', '7d', '30d'] as const;

/** A draft of the filters; the button says how many lines it would show. */
export function FilterPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('lines');
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
        <Button
          variant="text"
          size="small"
          onClick={() => set({ ...noFilters, q: search.q, owner: search.owner })}
        >
          {t('filter.clearAll')}
        </Button>
      </div>
      <ExpiryAndStatus draft={draft} set={set} />
      <ServerFilter draft={draft} set={set} />
      <OnlySome draft={draft} set={set} />
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

function OnlySome({ draft, set }: DraftProps) {
  const { t } = useTranslation('lines');
  const { data: counts } = useQuery(lineCountsQuery());
  return (
    <fieldset className={styles.group}>
      <legend>{t('filter.only')}</legend>
      <FilterCheck
        label={t('filter.trials')}
        count={counts?.trials}
        checked={draft.trial === true}
        onChange={(isChecked) => set({ trial: isChecked || undefined })}
      />
      <FilterCheck
        label={t('sync.notOnServer')}
        count={counts?.not_synced}
        checked={draft.sync === 'failed'}
        onChange={(isChecked) => set({ sync: isChecked ? 'failed' : undefined })}
      />
    </fieldset>
  );
}
