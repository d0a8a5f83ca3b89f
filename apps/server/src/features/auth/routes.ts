import * as contract from '@linekeeper/contract/auth.ts';
import * as emailChange from '@linekeeper/contract/email-change.ts';
import * as twoFactor from '@linekeeper/contract/two-factor.ts';
import { route } from '../../core/use-case.ts';
import { cancelEmailChange, changeEmail, getEmailChange } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { editMe } from './edit-me.ts';
import { ownAccount } from './me.ts';
import { resetPassword } from './reset-password.ts';
import { getSession, signOut } from './session.ts';
import { signIn } from './sign-in.ts';
import { confirmEmail, signUp } from './sign-up.ts';
import {
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  newRecoveryCodes,
  verifyTwoFactor,
} from './two-factor.ts';
import { twoFactorSignIn } from './two-factor-sign-in.ts';

/** Not audited, because sessions and the request log record it. */
const byVisitors = 'comes and goes with a session';

const inItsTransaction = 'in the transaction that stores it';

export const authRoutes = [
  route(contract.signUp, signUp, { notAudited: 'the account itself says when it was made' }),
  route(contract.confirmEmail, confirmEmail, {
    auditsItself: 'where it changes an address; a sign-up is confirmed by a visitor',
  }),
  route(contract.signIn, signIn, { notAudited: byVisitors }),
  route(contract.signOut, signOut, { notAudited: byVisitors }),
  route(contract.getSession, getSession),
  route(contract.changePassword, changePassword, {
    auditsItself: 'in the transaction that stores the new password',
  }),
  route(contract.resetPassword, resetPassword, {
    auditsItself: 'in the transaction that stores the new password',
  }),
  route(emailChange.changeEmail, changeEmail, {
    auditsItself: 'in the transaction that asks for it or stores it',
  }),
  route(emailChange.getEmailChange, getEmailChange),
  route(emailChange.cancelEmailChange, cancelEmailChange, {
    notAudited: 'nothing had changed yet',
  }),
  route(twoFactor.twoFactorSignIn, twoFactorSignIn, {
    auditsItself: 'where a recovery code is used up',
  }),
  route(twoFactor.getTwoFactor, getTwoFactor),
  route(twoFactor.enableTwoFactor, enableTwoFactor, {
    notAudited: 'nothing is asked for until a code was verified, which is audited',
  }),
  route(twoFactor.verifyTwoFactor, verifyTwoFactor, { auditsItself: inItsTransaction }),
  route(twoFactor.disableTwoFactor, disableTwoFactor, { auditsItself: inItsTransaction }),
  route(twoFactor.newRecoveryCodes, newRecoveryCodes, { auditsItself: inItsTransaction }),
  route(contract.getMe, async (ctx) => ownAccount(ctx)),
  route(contract.editMe, editMe),
];
