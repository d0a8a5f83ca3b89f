import { type Account, createResetLink } from '@linekeeper/contract/accounts/accounts.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { CopyButton } from '../../../shared/ui/buttons/copy-button.tsx';
import { DialogText, InfoDialog } from '../../../shared/ui/dialogs/dialog-parts.tsx';
import { Timestamp } from '../../../shared/ui/timestamp.tsx';
import { Row } from '../../../shared/ui/vocabulary.tsx';
import styles from '../accounts.module.css';

interface ResetLinkDialogProps {
  account: Account;
  onClose: () => void;
}

/** Makes a link that sets a new password, and shows it once. */
export function ResetLinkDialog({ account, onClose }: ResetLinkDialogProps) {
  const { t } = useTranslation('account');
  const name = account.full_name || account.email;
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
  return (
    <InfoDialog title={t('resetLink.made', { name })} onClose={onClose}>
      <DialogText>{t('resetLink.once')}</DialogText>
      <Row as="p" gap={8} className={styles.link}>
        <code>{url}</code>
        <CopyButton value={url} label={t('resetLink.copy')} size="small" />
      </Row>
      <DialogText>
        {t('resetLink.until')} <Timestamp value={expires_at} />
      </DialogText>
    </InfoDialog>
  );
}
