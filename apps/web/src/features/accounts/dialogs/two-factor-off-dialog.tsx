import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../../shared/forms/use-send.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { toast } from '../../../shared/state/toast.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import styles from '../accounts.module.css';
import { useDisableAccountTwoFactor } from '../queries.ts';

interface TwoFactorOffDialogProps {
  account: Account;
  onClose: () => void;
}

/** For an account that lost its phone: its password alone does again. */
export function TwoFactorOffDialog({ account, onClose }: TwoFactorOffDialogProps) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const name = isolate(account.full_name || account.email);
  const turningOff = useSend({
    send: useDisableAccountTwoFactor(account.id).mutateAsync,
    onSuccess: () => {
      onClose();
      toast.success(t('twoFactorOff.done', { name }));
    },
  });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('twoFactorOff.title', { name })}
      text={t('twoFactorOff.text')}
      confirmLabel={common('action.turnOff')}
      pending={turningOff.isPending}
      onConfirm={() => void turningOff.send({})}
      onClose={onClose}
    >
      <ul className={styles.effects}>
        <li>{t('twoFactorOff.ends')}</li>
        <li>{t('twoFactorOff.told')}</li>
        <li>{t('twoFactorOff.sure')}</li>
      </ul>
      {turningOff.error !== null && (
        <div className={styles.refusal}>
          <Banner tone="error" title={errorText(turningOff.error)} isAlert />
        </div>
      )}
    </ConfirmDialog>
  );
}
