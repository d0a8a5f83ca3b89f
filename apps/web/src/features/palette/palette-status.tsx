import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDelayed } from '../../shared/browser/use-delayed.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './palette.module.css';
import type { useLineSearch } from './use-line-search.ts';

interface PaletteStatusProps {
  query: string;
  search: ReturnType<typeof useLineSearch>;
  isNothingFound: boolean;
}

/** State of the search, shown above the list and announced by screen readers. */
export function PaletteStatus(props: PaletteStatusProps) {
  return (
    <div role="status">
      <StatusText {...props} />
    </div>
  );
}

function StatusText({ query, search, isNothingFound }: PaletteStatusProps) {
  const { t } = useTranslation('palette');
  const errorText = useErrorText();
  const { lines, isSearching, error } = search;
  const isSlow = useDelayed(isSearching);
  // A failed search must not be reported as "nothing found".
  if (error) {
    return (
      <Row as="p" gap={12} muted className={styles.status} data-tone="error">
        <CircleAlert size={20} aria-hidden="true" />
        {t('searchFailed', { reason: errorText(error) })}
      </Row>
    );
  }
  if (isSearching)
    return (
      isSlow && (
        <Row as="p" gap={12} muted className={styles.status}>
          {t('searching')}
        </Row>
      )
    );
  if (isNothingFound)
    return (
      <Row as="p" gap={12} muted className={styles.status}>
        {t('nothingFound', { query })}
      </Row>
    );
  if (lines.length === 0) return null;
  return <span className="visually-hidden">{t('found', { count: lines.length })}</span>;
}
