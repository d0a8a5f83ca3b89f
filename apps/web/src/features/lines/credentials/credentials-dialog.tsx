import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import {
  CopyCLineButton,
  CopyCredentialsButton,
  CredentialRows,
  credentialsOf,
} from '../../../shared/lines/credentials.tsx';
import { useRevealLine } from '../../../shared/lines/queries.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import dialogStyles from '../../../shared/ui/dialogs/dialog.module.css';
import { Dialog } from '../../../shared/ui/overlays/overlays.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import styles from '../line-dialogs.module.css';

/** Reveals the password once per dialog and keeps it no longer than the dialog is open. */
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
      <div className={dialogStyles.content}>
        <h2 id={titleId}>{t('actions.credentialsOf', { username: line.username })}</h2>
        {error ? <Banner tone="error" title={errorText(error)} isAlert /> : null}
        <div className={styles.rows}>
          {password !== undefined && <CredentialRows credentials={credentialsOf(line, password)} />}
        </div>
        <div className={dialogStyles.actions}>
          <Button onClick={onClose}>{common('action.close')}</Button>
          {password !== undefined && (
            <>
              <CopyCLineButton credentials={credentialsOf(line, password)} />
              <CopyCredentialsButton
                variant="solid"
                getCredentials={() => credentialsOf(line, password)}
              >
                {t('done.copyAll')}
              </CopyCredentialsButton>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
