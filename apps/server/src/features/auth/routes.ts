import * as contract from '@linekeeper/contract/auth.ts';
import * as sessionsContract from '@linekeeper/contract/sessions.ts';
import { route } from '../../core/use-case.ts';
import { changePassword } from './change-password.ts';
import { editMe } from './edit-me.ts';
import { ownAccount } from './me.ts';
import { resetPassword } from './reset-password.ts';
import { getSession, signOut } from './session.ts';
import { endOthers, endOwnSession, listSessions } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { confirmEmail, signUp } from './sign-up.ts';

/** Not audited, because sessions and the request log record it. */
const byVisitors = 'comes and goes with a session';

export const authRoutes = [
  route(contract.signUp, signUp, { notAudited: 'the account itself says when it was made' }),
  route(contract.confirmEmail, confirmEmail, { notAudited: byVisitors }),
  route(contract.signIn, signIn, { notAudited: byVisitors }),
  route(contract.signOut, signOut, { notAudited: byVisitors }),
  route(contract.getSession, getSession),
  route(sessionsContract.listSessions, listSessions),
  route(sessionsContract.endSession, endOwnSession, { notAudited: byVisitors }),
  route(sessionsContract.endOtherSessions, endOthers, { notAudited: byVisitors }),
  route(contract.changePassword, changePassword, {
    auditsItself: 'in the transaction that stores the new password',
  }),
  route(contract.resetPassword, resetPassword, {
    auditsItself: 'in the transaction that stores the new password',
  }),
  route(contract.getMe, async (ctx) => ownAccount(ctx)),
  route(contract.editMe, editMe),
];
