import type { Account, AccountAct } from '@linekeeper/contract/accounts/accounts.ts';
import type { ComponentType } from 'react';
import { BanDialog, UnbanDialog } from './ban-dialog.tsx';
import { AddCreditsDialog, TakeBackDialog } from './credits-dialog.tsx';
import { EditAccountDialog } from './edit-account-dialog.tsx';
import { MoveAccountDialog } from './move-account-dialog.tsx';
import { ResetLinkDialog } from './reset-link-dialog.tsx';
import { SetCreditsDialog } from './set-credits-dialog.tsx';
import { TwoFactorOffDialog } from './two-factor-off-dialog.tsx';

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

/** The dialog of an act; each says before what it will change. */
export function AccountDialog({ act, ...props }: AccountDialogProps & { act: AccountAct }) {
  const Dialog = dialogs[act];
  return <Dialog {...props} />;
}
