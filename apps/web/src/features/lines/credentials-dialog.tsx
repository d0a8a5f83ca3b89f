import type { Line } from '@linekeeper/contract/lines.ts';
import Dialog from '@mui/material/Dialog';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CopyCredentialsButton } from './copy-credentials-button.tsx';
import { CredentialRows } from './credential-rows.tsx';
import { credentialsOf } from './credentials.ts';
import styles from './line-dialogs.module.css';
import { useRevealLine } from './queries.ts';

/** Revealed once for the dialog, and forgotten with it. */
function usePassword(lineId: string) {
  const { mutateAsync } = useRevealLine();
  const reveal = useRef(mutateAsync);
  const [password, setPassword] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isOpen = true;
    reveal.current(lineId).then(
      (revealed) => isOpen && setPassword(revealed.password),
      (cause) => isOpen && setError(cause),
    );
    return () => {
      isOpen = false;
    };
  }, [lineId]);
  return { password, error };
}

export function CredentialsDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const titleId = useId();
  const { password, error } = usePassword(line.id);
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} disableRestoreFocus>
      <div className={styles.content}>
        <h2 id={titleId}>{t('actions.credentialsOf', { username: line.username })}</h2>
        {error ? <Banner tone="error" title={errorText(error)} isAlert /> : null}
        <div className={styles.rows}>
          {password !== undefined && <CredentialRows credentials={credentialsOf(line, password)} />}
        </div>
        <div className={styles.actions}>
          <Button onClick={onClose}>{common('action.close')}</Button>
          {password !== undefined && (
            <CopyCredentialsButton
              variant="solid"
              getCredentials={() => credentialsOf(line, password)}
            >
              {t('done.copyAll')}
            </CopyCredentialsButton>
          )}
        </div>
      </div>
    </Dialog>
  );
}
