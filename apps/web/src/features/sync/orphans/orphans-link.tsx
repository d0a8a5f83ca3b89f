import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../shared/i18n/format-number.ts';
import { TabCount } from '../../../shared/list/views/tab-bar.tsx';
import { orphans } from './orphans-list.ts';
import { orphanScansQuery } from './queries.ts';

/** How many there are, of which the first page alone knows. */
function useCount(): number | undefined {
  // While the page is open, whichever of its tabs is shown.
  useQuery(orphanScansQuery());
  const { data } = useQuery({
    queryKey: [...orphans.queryKey, 'count'],
    queryFn: ({ signal }) => orphans.fetchPage({}, { signal, limit: 1 }),
    refetchInterval: orphans.refetchMs ?? false,
  });
  return data?.total ?? undefined;
}

/** The tab beside the views of the pending changes. */
export function OrphansLink({ isCurrent }: { isCurrent: boolean }) {
  const { t, i18n } = useTranslation('sync');
  const count = useCount();
  const link = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with its number the last tab may lie outside of a phone
  useEffect(() => {
    const tabs = link.current?.parentElement;
    if (isCurrent && tabs) tabs.scrollLeft = tabs.scrollWidth;
  }, [isCurrent, count]);
  return (
    <Link
      ref={link}
      to="/cccam-servers/sync"
      search={{ tab: 'orphans' }}
      activeOptions={{ exact: true }}
      aria-current={isCurrent ? 'true' : undefined}
      data-current={isCurrent || undefined}
    >
      {t('orphans.tab')}
      {count !== undefined && (
        <TabCount tone={count > 0 ? 'warning' : 'neutral'}>
          {formatCount(count, i18n.language)}
        </TabCount>
      )}
    </Link>
  );
}
