import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { oscamFile, receiversOf, splitHostPort } from '@linekeeper/contract/lines/receivers.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lineActedUpon } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { defaultHostPort } from '../../../domain/machines/servers.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { findForReceivers } from '../list/store.ts';

type Received = { id: string } & Awaited<ReturnType<typeof findForReceivers>>;

/** The audit entry of a revealed password, written before the password is returned. */
const revealing = {
  audit: {
    action: 'line.reveal' as const,
    subject: lineActedUpon,
    of: ({ params }: { params: { id: string } }) => params.id,
  },
  commit: async (tx: Tx, { actor }: Ctx, { params: { id } }: { params: { id: string } }) => ({
    id,
    ...(await findForReceivers(tx, lineScope(actor), id)),
  }),
};

/** Returns the password of a line, which is audited. No other call returns it alone. */
export const revealLine: Mutation<typeof contract.revealLine, Pick<Received, 'id' | 'sealed'>> = {
  ...revealing,
  // The result is stored, and a server's key is nothing that it needs.
  commit: async (tx, ctx, input) => {
    const { id, sealed } = await revealing.commit(tx, ctx, input);
    return { id, sealed };
  },
  reply: async ({ secrets }, { id, sealed }) => ({ password: secrets.open(sealed, id) }),
};

/** Reveals the password with all other data that is entered in a receiver. */
export const lineReceivers: Mutation<typeof contract.lineReceivers, Received> = {
  ...revealing,
  reply: async ({ secrets }, { id, sealed, username, host_port, ...server }) => {
    const address = splitHostPort(host_port[0] ?? defaultHostPort(server));
    const password = secrets.open(sealed, id);
    const { cccam, newcamd, oscam } = receiversOf(server, address, { username, password });
    return { cccam, newcamd: newcamd.map(({ line }) => line), oscam: oscamFile(oscam) };
  },
};
