import type { Line } from '@linekeeper/contract/lines.ts';
import { X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { LinesSearch } from '../../shared/lines-search.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { ColumnsButton } from './columns-button.tsx';
import { DensityButton } from './density-button.tsx';
import { FilterButton, focusFilterButton } from './filter-button.tsx';
import { LinesSearchBox } from './lines-search-box.tsx';
import { chipNames, noFilters } from './search.ts';
import styles from './toolbar.module.css';
import { useFilterTexts } from './use-filter-texts.ts';
import { useLinesSearch } from './use-lines-search.ts';
import { useSelection } from './use-selection.tsx';

const BulkBar = lazy(async () => ({ default: (await import('./bulk/bulk-bar.tsx')).BulkBar }));

/** Search and filters; on a desktop the selection's bar takes their place. */
export function LinesToolbar({ lines }: { lines: Line[] | undefined }) {
  const isPhone = useIsPhone();
  const { isEmpty } = useSelection();
  return (
    <>
      {(isEmpty || isPhone) && (
        <div className={styles.toolbar}>
          <LinesSearchBox />
          <FilterButton />
          <span className={styles.space} />
          <DensityButton />
          <ColumnsButton />
        </div>
      )}
      {!isEmpty && (
        <Suspense fallback={<div className={styles.bulkRoom} />}>
          <BulkBar />
        </Suspense>
      )}
      <FilterChips lines={lines} />
    </>
  );
}

function FilterChips({ lines }: { lines: Line[] | undefined }) {
  const { t } = useTranslation('lines');
  const { search, change } = useLinesSearch();
  const { name, value } = useFilterTexts(lines);
  const chips = chipNames(search);
  if (chips.length === 0) return null;
  const remove = (filters: LinesSearch) => {
    void change(filters);
    focusFilterButton();
  };
  return (
    <div className={styles.chips}>
      {chips.map((filter) => (
        <span key={filter} className={styles.chip}>
          <span>
            <span className={styles.chipName}>{name(filter)}</span> <b>{value(filter)}</b>
          </span>
          <button
            type="button"
            aria-label={t('filter.remove', { filter: `${name(filter)} ${value(filter)}` })}
            onClick={() => remove({ [filter]: undefined })}
          >
            <X size={14} strokeWidth={2} aria-hidden="true" />
          </button>
        </span>
      ))}
      <Button variant="text" size="small" onClick={() => remove(noFilters)}>
        {t('filter.clear')}
      </Button>
    </div>
  );
}
