import { useTranslation } from 'react-i18next';
import { useListSearch } from '../../shared/list/use-list.ts';
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx';
import { Highlight } from '../../shared/ui/highlight.tsx';
import styles from './codes.module.css';

const useSearched = () => useListSearch().search.q?.trim() ?? '';

export function CodeName({ code }: { code: string }) {
  const { t } = useTranslation('redeemCodes');
  return (
    <span className={styles.code}>
      <Highlight text={code} part={useSearched()} className={styles.cut} />
      <CopyButton value={code} label={t('copy', { code })} />
    </span>
  );
}

export function CodeLabel({ text }: { text: string }) {
  return <Highlight text={text} part={useSearched()} className={styles.cut} />;
}
