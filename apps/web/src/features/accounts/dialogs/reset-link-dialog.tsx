import { type Account, createResetLink } from '@linekeeper/contract/accounts/accounts.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { CopyButton } from '../../../shared/ui/buttons/copy-button.tsx';
import dialogStyles from '../../../shared/ui/dialogs/dialog.module.css';
import { Dialog } from '../../../shared/ui/overlays/overlays.tsx';
import { Timestamp } from '../../../shared/ui/timestamp.tsx';
import styles from '../accounts.module.css';

interface ResetLinkDialogProps {
  account: Account;
  onClose: () => void;
}

/** Makes a link that sets a new password, and shows it once. */
export function ResetLinkDialog({ account, onClose }: ResetLinkDialogProps) {
  const { t } = useTranslation('account');
  const name = isolate(account.full_name || account.email);
  const [link, setLink] = useState<{ url: string; expires_at: string }>();
  const making = useCommand(createResetLink, { params: { id: account.id } });
  if (link) return <MadeLink name={name} {...link} onClose={onClose} />;
  return (
    <ConfirmAction
      command={making}
      title={t('resetLink.title', { name })}
      text={t('resetLink.text')}
      confirmLabel={t('resetLink.confirm')}
      done={setLink}
      staysOpen
      onClose={onClose}
    />
  );
}

interface MadeLinkProps {
  name: string;
  url: string;
  expires_at: string;
  onClose: () => void;
}

function MadeLink({ name, url, expires_at, onClose }: MadeLinkProps) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id}>
      <div className={dialogStyles.content}>
        <h2 id={id}>{t('resetLink.made', { name })}</h2>
        <p className={dialogStyles.text}>{t('resetLink.once')}</p>
        <p className={styles.link}>
          <code>{url}</code>
          <CopyButton value={url} label={t('resetLink.copy')} size="small" />
        </p>
        <p className={dialogStyles.text}>
          {t('resetLink.until')} <Timestamp value={expires_at} />
        </p>
        <div className={dialogStyles.actions}>
          <Button onClick={onClose}>{common('action.close')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
