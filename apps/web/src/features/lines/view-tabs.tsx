import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { lineCountsQuery, showCount } from '../../shared/line-counts.ts';
import { paths } from '../../shared/paths.ts';
import styles from './lines.module.css';
import { currentView, views } from './search.ts';
import { useLinesSearch } from './use-lines-search.ts';

/** Ready-made filters as links, each with the number of lines behind it. */
export function ViewTabs() {
  const { t, i18n } = useTranslation('lines');
  const { search } = useLinesSearch();
  const { data: counts } = useQuery(lineCountsQuery());
  const current = currentView(search);
  const shown = views.filter(
    ({ name }) => name !== 'not_synced' || name === current.name || (counts?.not_synced ?? 0) > 0,
  );
  return (
    <nav className={styles.tabs} aria-label={t('views.label')}>
      {shown.map(({ name, filters, tone }) => (
        <Link
          key={name}
          to={paths.lines()}
          search={{ sort: search.sort, size: search.size, ...filters }}
          aria-current={name === current.name ? 'true' : undefined}
          data-current={name === current.name || undefined}
        >
          {t(`views.${name}`)}
          {counts && (
            <span className={styles.count} data-tone={tone}>
              {showCount(counts[name], i18n.language)}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
