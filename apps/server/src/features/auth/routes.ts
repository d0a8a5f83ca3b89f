import * as contract from '@linekeeper/contract/auth/auth.ts';
import * as emailChange from '@linekeeper/contract/auth/email-change.ts';
import * as sessionsContract from '@linekeeper/contract/auth/sessions.ts';
import * as twoFactor from '@linekeeper/contract/auth/two-factor.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { cancelEmailChange, changeEmail, getEmailChange } from './change-email.ts';
import { editMe, ownAccount } from './me.ts';
import { changePassword, requestPasswordReset, resetPassword } from './passwords.ts';
import { endOthers, endOwnSession, getSession, listSessions, signOut } from './sessions.ts';
import { getSecondStep, keepSecondStep, signIn, twoFactorSignIn } from './sign-in.ts';
import { confirmEmail, signUp } from './sign-up.ts';
import {
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  newRecoveryCodes,
  verifyTwoFactor,
} from './two-factor.ts';

const inItsTransaction = { auditsItself: 'in the transaction that stores it' };
const endsSession = {
  auditsItself: 'in the transaction that ends the session',
  isUncounted: 'bounded by the hour, and a thief of a session must not prevent this',
};

export const authRoutes = [
  route(contract.signUp, signUp, { notAudited: 'the account itself says when it was made' }),
  route(contract.confirmEmail, confirmEmail, {
    auditsItself: 'where it changes an address; a sign-up confirms what the account itself says',
  }),
  route(contract.signIn, signIn, {
    auditsItself: 'where the session begins, and where a password is wrong; bounded',
  }),
  route(contract.signOut, signOut, { auditsItself: 'in the transaction that ends a session' }),
  route(contract.getSession, getSession),
  route(sessionsContract.listSessions, listSessions),
  route(sessionsContract.endSession, endOwnSession, endsSession),
  route(sessionsContract.endOtherSessions, endOthers, endsSession),
  route(contract.changePassword, changePassword, inItsTransaction),
  route(contract.requestPasswordReset, requestPasswordReset, {
    auditsItself: 'when its mail has been sent, for an account that exists',
  }),
  route(contract.resetPassword, resetPassword, inItsTransaction),
  route(emailChange.changeEmail, changeEmail, {
    auditsItself: 'in the transaction that asks for it or stores it',
  }),
  route(emailChange.getEmailChange, getEmailChange),
  route(emailChange.cancelEmailChange, cancelEmailChange, {
    notAudited: 'nothing had changed yet',
  }),
  route(twoFactor.twoFactorSignIn, twoFactorSignIn, {
    auditsItself: 'where the session begins, and where a recovery code is used up',
  }),
  route(twoFactor.keepSecondStep, keepSecondStep, {
    notAudited: 'it keeps in the browser what the browser was told',
  }),
  route(twoFactor.getSecondStep, getSecondStep),
  route(twoFactor.getTwoFactor, getTwoFactor),
  route(twoFactor.enableTwoFactor, enableTwoFactor, {
    notAudited: 'nothing is asked for until a code was verified, which is audited',
  }),
  route(twoFactor.verifyTwoFactor, verifyTwoFactor, inItsTransaction),
  route(twoFactor.disableTwoFactor, disableTwoFactor, inItsTransaction),
  route(twoFactor.newRecoveryCodes, newRecoveryCodes, inItsTransaction),
  route(contract.getMe, async (ctx) => ownAccount(ctx)),
  route(contract.editMe, editMe),
];
