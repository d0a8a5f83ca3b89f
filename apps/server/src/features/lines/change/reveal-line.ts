import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { oscamFile, receiversOf, splitHostPort } from '@linekeeper/contract/lines/receivers.ts';
import { lineActedUpon } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { defaultHostPort } from '../../../domain/machines/servers.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { findForReceivers, findSealedPassword } from '../list/store.ts';

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

type Received = Revealed & Awaited<ReturnType<typeof findForReceivers>>;

/** Reveals the password with everything else that is entered in a receiver; audited as `line.reveal`, too. */
export const lineReceivers: Mutation<typeof contract.lineReceivers, Received> = {
  audit: { action: 'line.reveal', subject: lineActedUpon, of: ({ params }) => params.id },
  commit: async (tx, { actor }, { params: { id } }) => {
    const found = await findForReceivers(tx, lineScope(actor), id);
    return { id, ...found };
  },
  reply: async ({ secrets }, { id, sealed, username, host_port, ...server }) => {
    const address = splitHostPort(host_port[0] ?? defaultHostPort(server));
    const password = secrets.open(sealed, id);
    const { cccam, newcamd, oscam } = receiversOf(server, address, { username, password });
    return { cccam, newcamd: newcamd.map(({ line }) => line), oscam: oscamFile(oscam) };
  },
};
