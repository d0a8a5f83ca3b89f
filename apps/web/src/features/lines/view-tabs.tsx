import type { SavedView } from '@linekeeper/contract/preferences.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lineCountsQuery, showCount } from '../../shared/line-counts.ts';
import type { LinesSearch } from '../../shared/lines-search.ts';
import { paths } from '../../shared/paths.ts';
import { usePreferences } from '../../shared/preferences.ts';
import styles from './lines.module.css';
import { viewCountQuery } from './queries.ts';
import { SaveViewButton } from './save-view-button.tsx';
import { currentSavedView, currentView, searchOfView, views } from './search.ts';
import { useLinesSearch } from './use-lines-search.ts';

/** Ready-made and saved filters as links, each with the number of lines behind it. */
export function ViewTabs() {
  const { t, i18n } = useTranslation('lines');
  const { search } = useLinesSearch();
  const { saved_views } = usePreferences();
  const { data: counts } = useQuery(lineCountsQuery());
  const saved = currentSavedView(saved_views, search);
  const current = currentView(search);
  const shown = views.filter(
    ({ name }) => name !== 'not_synced' || name === current.name || (counts?.not_synced ?? 0) > 0,
  );
  return (
    <div className={styles.views}>
      <nav className={styles.tabs} aria-label={t('views.label')}>
        {shown.map(({ name, filters, tone }) => (
          <Tab
            key={name}
            search={{ sort: search.sort, size: search.size, ...filters }}
            isCurrent={!saved && name === current.name}
          >
            {t(`views.${name}`)}
            {counts && (
              <span className={styles.count} data-tone={tone}>
                {showCount(counts[name], i18n.language)}
              </span>
            )}
          </Tab>
        ))}
        {saved_views.map((view) => (
          <SavedTab key={view.name} view={view} isCurrent={view === saved} />
        ))}
      </nav>
      <SaveViewButton current={saved} />
    </div>
  );
}

interface TabProps {
  search: LinesSearch;
  isCurrent: boolean;
  children: ReactNode;
}

function Tab({ search, isCurrent, children }: TabProps) {
  return (
    <Link
      to={paths.lines()}
      search={search}
      aria-current={isCurrent ? 'true' : undefined}
      data-current={isCurrent || undefined}
    >
      {children}
    </Link>
  );
}

function SavedTab({ view, isCurrent }: { view: SavedView; isCurrent: boolean }) {
  const { t } = useTranslation('lines');
  const { search } = useLinesSearch();
  const saved = searchOfView(view);
  const { data } = useQuery(viewCountQuery(saved));
  const isMore = data?.total_is_exact === false;
  return (
    <Tab search={{ ...saved, size: search.size }} isCurrent={isCurrent}>
      <Bookmark size={16} aria-hidden="true" />
      <span className={styles.viewName} title={view.name}>
        {view.name}
      </span>
      {data?.total != null && (
        <span className={styles.count} data-tone="neutral">
          {t('number', { value: data.total })}
          {isMore && '+'}
        </span>
      )}
    </Tab>
  );
}
