import { X, ZapOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../browser/connection.ts';
import { useIsHeldBack } from '../browser/held-back.ts';
import { useMe } from '../data/session.ts';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Row } from '../ui/vocabulary.tsx';
import styles from './offline-banner.module.css';

/** Says that pages change with a delay, and why; closed until the page is opened again. */
export function HeldBackBanner() {
  const { t } = useTranslation();
  const isHeldBack = useIsHeldBack();
  const { is_admin } = useMe();
  const [isClosed, setClosed] = useState(false);
  const isOnline = useConnection() === 'online';
  if (!isHeldBack || !isOnline || isClosed) return null;
  return (
    <Row gap={12} className={styles.banner} data-closes role="status">
      <ZapOff size={18} aria-hidden="true" />
      <span className={styles.text}>
        <b>{t('heldBack.title')}</b> {t('heldBack.text')} {is_admin && t('heldBack.guide')}
      </span>
      <IconButton size="small" label={t('action.dismiss')} onClick={() => setClosed(true)}>
        <X size={20} aria-hidden="true" />
      </IconButton>
    </Row>
  );
}
