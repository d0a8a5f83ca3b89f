import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLinePlace } from '#domain/lines/line-place.ts';
import { useCurrentTabShown } from '#kit/list/views/use-current-tab-shown.ts';
import { lineParts } from '#screens/line-screens.ts';
import styles from './line.module.css';

/** The parts of a line, on its page and in the panel. */
export function LineTabs() {
  const { t } = useTranslation('line');
  const { part: current } = useLinePlace();
  const tabs = useRef<HTMLElement>(null);
  useCurrentTabShown(tabs);
  return (
    <nav ref={tabs} className={styles.tabs} aria-label={t('title')} data-print="none">
      {lineParts.map((part) => (
        <Link
          key={part}
          to="."
          search={
            ((now: object) => ({
              ...now,
              part: part === 'overview' ? undefined : part,
            })) as never
          }
          replace
          resetScroll={false}
          activeOptions={{ exact: true, explicitUndefined: true }}
          aria-current={part === current ? 'page' : undefined}
          data-current={part === current || undefined}
        >
          {t(`tabs.${part}`)}
        </Link>
      ))}
    </nav>
  );
}
