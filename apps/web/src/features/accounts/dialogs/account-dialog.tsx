import {
  type Account,
  type AccountAct,
  createResetLink,
  setCredits,
} from '@linekeeper/contract/accounts/accounts.ts';
import { disableAccountTwoFactor } from '@linekeeper/contract/accounts/two-factor.ts';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BalanceRows } from '#domain/prices/balance-rows.tsx';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { DialogText, InfoDialog } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { LinkWarningText } from '#kit/ui/address-warning.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { results } from '#platform/state/results.ts';
import { BanDialog, UnbanDialog } from './ban-dialog.tsx';
import { AddCreditsDialog, TakeBackDialog } from './credits-dialog.tsx';
import { EditAccountDialog } from './edit-account-dialog.tsx';
import { MoveAccountDialog } from './move-account-dialog.tsx';

/** The dialog that corrects a balance; the difference is stored as a transfer with its reason. */
function SetCreditsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation(['account', 'accounts']);
  const name = account.full_name || account.email;
  const { form, field, submission } = useCommandForm(setCredits, {
    params: { id: account.id },
    refreshes: ['accounts'],
    defaultValues: { note: '' },
    onClose,
    doneText: ({ account: { credits } }) => t('setCredits.done', { name, credits }),
  });
  const wanted = setCredits.body.shape.credits.safeParse(form.watch('credits')).data;
  return (
    <FormDialog
      submission={submission}
      title={t('setCredits.title', { name })}
      text={t('setCredits.text')}
      submitLabel={t('acts.setCredits')}
      onClose={onClose}
    >
      <TextInput
        {...field('credits')}
        label={t('setCredits.balance')}
        type="number"
        autoFocus
        required
      />
      <TextInput
        {...field('note')}
        label={t('field.reason')}
        hint={t('accounts:addCredits.noteHint')}
        required
      />
      <BalanceRows
        rows={[
          { label: t('field.balanceBefore'), value: account.credits },
          {
            label: t('setCredits.difference'),
            value: wanted === undefined ? undefined : wanted - account.credits,
            isChange: true,
          },
          { label: t('field.balanceAfter'), value: wanted },
        ]}
      />
    </FormDialog>
  );
}

/** The dialog that creates a link to set a new password, and shows it once. */
function ResetLinkDialog({ account, onClose }: { account: Account; onClose: () => void }) {
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
      <p className="flex items-center gap-2 mt-4 pt-3 pr-3 pb-3 pl-4 rounded-control bg-head">
        <code className="flex-1 min-w-0 wrap-anywhere">{url}</code>
        <CopyButton value={url} label={t('resetLink.copy')} size="small" />
      </p>
      <LinkWarningText text={url} />
      <DialogText>
        {t('resetLink.until')} <Timestamp value={expires_at} />
      </DialogText>
    </InfoDialog>
  );
}

/** The dialog that turns off two-factor sign-in for an account that lost its phone, so that the password is enough. */
function TwoFactorOffDialog({ account, onClose }: { account: Account; onClose: () => void }) {
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
      done={() => results.success(t('twoFactorOff.done', { name }))}
      onClose={onClose}
    >
      <ul className="grid grid-cols-1 gap-2 mt-4 ps-5 [list-style:disc]">
        <li>{t('twoFactorOff.ends')}</li>
        <li>{t('twoFactorOff.told')}</li>
        <li>{t('twoFactorOff.sure')}</li>
      </ul>
    </ConfirmAction>
  );
}

export interface AccountDialogProps {
  account: Account;
  onClose: () => void;
}

const dialogs: Record<AccountAct, ComponentType<AccountDialogProps>> = {
  addCredits: AddCreditsDialog,
  takeBack: TakeBackDialog,
  setCredits: SetCreditsDialog,
  resetLink: ResetLinkDialog,
  edit: EditAccountDialog,
  move: MoveAccountDialog,
  twoFactorOff: TwoFactorOffDialog,
  ban: BanDialog,
  unban: UnbanDialog,
};

/** The dialog for an act on an account, such as a ban. It explains what the act changes and asks for confirmation. */
export function AccountDialog({ act, ...props }: AccountDialogProps & { act: AccountAct }) {
  const Dialog = dialogs[act];
  return <Dialog {...props} />;
}
