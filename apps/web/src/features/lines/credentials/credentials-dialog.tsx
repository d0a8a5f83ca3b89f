import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyCredentialsButton } from '../../../shared/lines/credentials.tsx';
import { useRevealLine } from '../../../shared/lines/queries.ts';
import { Receivers } from '../../../shared/lines/receivers/receivers.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import dialogStyles from '../../../shared/ui/dialogs/dialog.module.css';
import { Dialog } from '../../../shared/ui/overlays/overlays.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import styles from '../line-dialogs.module.css';

export function CredentialsDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  const titleId = useId();
  const { mutateAsync: reveal } = useRevealLine();
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} disableRestoreFocus>
      <div className={dialogStyles.content}>
        <h2 id={titleId}>{t('actions.credentialsOf', { username: line.username })}</h2>
        <div className={styles.rows}>
          <Receivers line={line} />
        </div>
        <div className={dialogStyles.actions}>
          <Button onClick={onClose}>{common('action.close')}</Button>
          <CopyCredentialsButton
            line={line}
            blocked={useNeedsConnection()}
            getPassword={async () => (await reveal(line.id)).password}
          >
            {t('done.copyAll')}
          </CopyCredentialsButton>
        </div>
      </div>
    </Dialog>
  );
}
