import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type LinesSearch, pageSizes } from '../../shared/lines-search.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './lines.module.css';
import { DEFAULT_SIZE } from './search.ts';
import { useLinesSearch, type usePaging } from './use-lines-search.ts';

export function LinesFooter({ paging }: { paging: ReturnType<typeof usePaging> }) {
  const { t } = useTranslation('lines');
  const { goBack, goOn } = paging;
  return (
    <div className={styles.footer}>
      <PageSize />
      <Range paging={paging} />
      <nav className={styles.pager} aria-label={t('footer.pages')}>
        <IconButton
          size="small"
          label={t('footer.previous')}
          aria-disabled={!goBack}
          onClick={goBack}
        >
          <ChevronLeft size={20} aria-hidden="true" />
        </IconButton>
        <IconButton size="small" label={t('footer.next')} aria-disabled={!goOn} onClick={goOn}>
          <ChevronRight size={20} aria-hidden="true" />
        </IconButton>
      </nav>
    </div>
  );
}

function PageSize() {
  const { t } = useTranslation('lines');
  const { search, change } = useLinesSearch();
  const id = useId();
  const choose = (size: LinesSearch['size']) =>
    change({ size: size === DEFAULT_SIZE ? undefined : size });
  return (
    <span className={styles.pageSize}>
      <label htmlFor={id}>{t('footer.rows')}</label>
      <span>
        <select
          id={id}
          value={search.size ?? DEFAULT_SIZE}
          onChange={({ target }) => choose(pageSizes.find((size) => size === Number(target.value)))}
        >
          {pageSizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
        <ChevronDown size={16} aria-hidden="true" />
      </span>
    </span>
  );
}

function Range({ paging: { from, to, total, isExact } }: { paging: ReturnType<typeof usePaging> }) {
  const { t } = useTranslation('lines');
  const text = () => {
    if (from === undefined || to === undefined) return null;
    if (total === null) return t('footer.range', { from, to });
    return t(isExact ? 'footer.rangeOf' : 'footer.rangeOfMany', { from, to, total });
  };
  // Said aloud too: it is what a new search or page has brought.
  return <span role="status">{text()}</span>;
}
