import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { sql } from 'kysely';
import { ownAccountSubject } from '../../domain/audit/audit-subjects.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { readMe } from './me.ts';

export const editMe: Mutation<typeof contract.editMe, string> = {
  audit: {
    action: 'account.edit',
    subject: ownAccountSubject,
    of: (_, { signedIn }) => signedIn?.id ?? '',
  },
  commit: async (tx, ctx, { body }) => {
    await tx
      .updateTable('auth_users')
      .set({ ...body, updated_at: sql`now()` })
      .where('id', '=', ctx.actor.id)
      .execute();
    return ctx.actor.id;
  },
  reply: (ctx) => readMe(ctx.db, ctx.actor.id),
};
