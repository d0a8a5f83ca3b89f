import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Row } from '../ui/vocabulary.tsx';
import styles from './footer.module.css';

interface ListFooterProps {
  /** Shown at the start of the footer. */
  start?: ReactNode;
  children?: ReactNode;
}

/** Sticky footer below the rows. */
export function ListFooter({ start, children }: ListFooterProps) {
  return (
    <Row gap={24} justify="end" phoneGap={8} muted className={styles.footer}>
      {start && (
        <span className={styles.start} role="status">
          {start}
        </span>
      )}
      {children}
    </Row>
  );
}

interface PageSizeProps<Size extends number> {
  size: Size;
  sizes: readonly Size[];
  onChoose: (size: Size) => void;
}

export function PageSize<Size extends number>({ size, sizes, onChoose }: PageSizeProps<Size>) {
  const { t } = useTranslation();
  const id = useId();
  const choose = (text: string) => {
    const chosen = sizes.find((one) => one === Number(text));
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <Row as="span" gap={8} className={styles.pageSize}>
      <label htmlFor={id}>{t('list.rows')}</label>
      <span>
        <select id={id} value={size} onChange={({ target }) => choose(target.value)}>
          {sizes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <ChevronDown size={16} aria-hidden="true" />
      </span>
    </Row>
  );
}

/** Position of the page in the list; undefined or null where unknown. */
interface Place {
  from: number | undefined;
  to: number | undefined;
  total: number | null;
  isExact: boolean;
}

/** A live region, since the range is the result of a search or page change. */
export function Range({ from, to, total, isExact }: Place) {
  const { t } = useTranslation();
  const text = () => {
    if (from === undefined || to === undefined) return null;
    if (total === null) return t('list.range', { from, to });
    return t(isExact ? 'list.rangeOf' : 'list.rangeOfMany', { from, to, total });
  };
  return (
    <span className={styles.range} role="status">
      {text()}
    </span>
  );
}

interface PagerProps {
  /** undefined on the first page; `goOn` is undefined on the last. */
  goBack: (() => void) | undefined;
  goOn: (() => void) | undefined;
}

export function Pager({ goBack, goOn }: PagerProps) {
  const { t } = useTranslation();
  return (
    <nav className={styles.pager} aria-label={t('list.pages')}>
      <IconButton size="small" label={t('list.previous')} aria-disabled={!goBack} onClick={goBack}>
        <ChevronLeft size={20} aria-hidden="true" />
      </IconButton>
      <IconButton size="small" label={t('list.next')} aria-disabled={!goOn} onClick={goOn}>
        <ChevronRight size={20} aria-hidden="true" />
      </IconButton>
    </nav>
  );
}
