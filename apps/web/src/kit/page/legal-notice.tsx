import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import styles from './legal-notice.module.css';

/** The legal notice, to be unfolded; nothing where there is none. */
export function LegalNotice() {
  const { t } = useTranslation();
  const { data } = useQuery(publicSettingsQuery());
  if (!data?.legal_notice) return null;
  return (
    <div className={styles.notice}>
      <details>
        <summary>{t('legalNotice')}</summary>
        <p>
          <TypedText>{data.legal_notice}</TypedText>
        </p>
      </details>
    </div>
  );
}
