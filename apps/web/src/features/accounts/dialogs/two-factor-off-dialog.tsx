import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { disableAccountTwoFactor } from '@linekeeper/contract/accounts/two-factor.ts';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { toast } from '../../../shared/state/toast.ts';
import styles from '../accounts.module.css';

interface TwoFactorOffDialogProps {
  account: Account;
  onClose: () => void;
}

/** For an account that lost its phone: its password alone does again. */
export function TwoFactorOffDialog({ account, onClose }: TwoFactorOffDialogProps) {
  const { t } = useTranslation('account');
  const name = account.full_name || account.email;
  const turningOff = useCommand(disableAccountTwoFactor, {
    params: { id: account.id },
    refreshes: ['accounts'],
  });
  return (
    <ConfirmAction
      command={turningOff}
      tone="danger"
      title={t('twoFactorOff.title', { name })}
      text={t('twoFactorOff.text')}
      confirmLabel={t('action.turnOff')}
      done={() => toast.success(t('twoFactorOff.done', { name }))}
      onClose={onClose}
    >
      <ul className={styles.effects}>
        <li>{t('twoFactorOff.ends')}</li>
        <li>{t('twoFactorOff.told')}</li>
        <li>{t('twoFactorOff.sure')}</li>
      </ul>
    </ConfirmAction>
  );
}
