import * as contract from '@linekeeper/contract/auth.ts';
import * as sessionsContract from '@linekeeper/contract/sessions.ts';
import { route } from '../../core/use-case.ts';
import { changePassword } from './change-password.ts';
import { editMe } from './edit-me.ts';
import { ownAccount } from './me.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { getSession, signOut } from './session.ts';
import { endOthers, endOwnSession, listSessions } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { confirmEmail, signUp } from './sign-up.ts';

export const authRoutes = [
  route(contract.signUp, signUp, { notAudited: 'the account itself says when it was made' }),
  route(contract.confirmEmail, confirmEmail, {
    notAudited: 'confirms what the account itself says, and opens nothing',
  }),
  route(contract.signIn, signIn, {
    auditsItself: 'where the session begins, and where a password is wrong; bounded',
  }),
  route(contract.signOut, signOut, { auditsItself: 'in the transaction that ends a session' }),
  route(contract.getSession, getSession),
  route(sessionsContract.listSessions, listSessions),
  route(sessionsContract.endSession, endOwnSession, {
    auditsItself: 'in the transaction that ends the session',
  }),
  route(sessionsContract.endOtherSessions, endOthers, {
    auditsItself: 'in the transaction that ends the session',
  }),
  route(contract.changePassword, changePassword, {
    auditsItself: 'in the transaction that stores the new password',
  }),
  route(contract.requestPasswordReset, requestPasswordReset, {
    auditsItself: 'when its mail has been sent, for an account that exists',
  }),
  route(contract.resetPassword, resetPassword, {
    auditsItself: 'in the transaction that stores the new password',
  }),
  route(contract.getMe, async (ctx) => ownAccount(ctx)),
  route(contract.editMe, editMe),
];
