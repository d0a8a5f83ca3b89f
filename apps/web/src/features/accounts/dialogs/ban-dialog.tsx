import type { Account } from '@linekeeper/contract/accounts.ts';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../../shared/forms/use-send.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { toast } from '../../../shared/ui/toasts/toast.ts';
import styles from '../accounts.module.css';
import { useSetBanned } from '../queries.ts';

interface BanDialogProps {
  account: Account;
  onClose: () => void;
}

/** Bans an account, or lifts its ban. */
export function BanDialog({ account, onClose }: BanDialogProps) {
  const { t } = useTranslation('account');
  const errorText = useErrorText();
  const name = isolate(account.full_name || account.email);
  const act = account.banned ? 'unban' : 'ban';
  const change = useSend({
    send: useSetBanned(account.id).mutateAsync,
    onSuccess: () => {
      onClose();
      toast.success(t(`${act}.done`, { name }));
    },
  });
  return (
    <ConfirmDialog
      open
      tone={act === 'ban' ? 'danger' : 'primary'}
      title={t(`${act}.title`, { name })}
      text={t(`${act}.text`)}
      confirmLabel={t(`acts.${act}`)}
      pending={change.isPending}
      onConfirm={() => void change.send({ banned: !account.banned })}
      onClose={onClose}
    >
      {act === 'ban' && (
        <ul className={styles.stays}>
          <li>{t('ban.lines', { lines: account.line_count })}</li>
          <li>{t('ban.below', { accounts: account.subtree_count })}</li>
          <li>{t('ban.credits', { credits: account.credits })}</li>
        </ul>
      )}
      {change.error !== null && (
        <div className={styles.refusal}>
          <Banner tone="error" title={errorText(change.error)} isAlert />
        </div>
      )}
    </ConfirmDialog>
  );
}
