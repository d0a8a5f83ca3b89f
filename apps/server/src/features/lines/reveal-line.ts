import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { lineScope } from '../../core/access.ts';
import { lineActedUpon } from '../../core/audit/audit-subjects.ts';
import type { Mutation } from '../../core/use-case.ts';
import { findSealedPassword } from './store.ts';

interface Revealed {
  id: string;
  sealed: string;
}

/** Revealing a password is audited like a change, before the password is returned. */
export const revealLine: Mutation<typeof contract.revealLine, Revealed> = {
  audit: { action: 'line.reveal', subject: lineActedUpon, of: ({ params }) => params.id },
  commit: async (tx, { actor }, { params: { id } }) => ({
    id,
    sealed: await findSealedPassword(tx, lineScope(actor), id),
  }),
  reply: async ({ secrets }, { id, sealed }) => ({ password: secrets.open(sealed, id) }),
};
