import * as contract from '@linekeeper/contract/auth.ts';
import { route } from '../../core/use-case.ts';
import { changePassword } from './change-password.ts';
import { editMe } from './edit-me.ts';
import { readMe } from './me.ts';
import { getSession, signOut } from './session.ts';
import { signIn } from './sign-in.ts';
import { confirmEmail, signUp } from './sign-up.ts';

export const authRoutes = [
  route(contract.signUp, signUp),
  route(contract.confirmEmail, confirmEmail),
  route(contract.signIn, signIn),
  route(contract.signOut, signOut),
  route(contract.getSession, getSession),
  route(contract.changePassword, changePassword),
  route(contract.getMe, (ctx) => readMe(ctx.db, ctx.actor.id)),
  route(contract.editMe, editMe),
];
