import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { oscamFile, receiversOf, splitHostPort } from '@linekeeper/contract/lines/receivers.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lineActedUpon } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { readPageLink } from '../../../domain/lines/line-pages.ts';
import { findForReceivers } from '../../../domain/lines/line-servers.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';

type Received = { id: string } & Awaited<ReturnType<typeof findForReceivers>>;

/** The audit entry of a revealed password, written before the password is returned. */
const revealing = {
  audit: {
    action: 'line.reveal' as const,
    subject: lineActedUpon,
  },
  commit: async (tx: Tx, { actor }: Ctx, { params: { id } }: { params: { id: string } }) => ({
    id,
    ...(await findForReceivers(tx, lineScope(actor), id)),
  }),
};

/** Returns the password of a line and the link of its customer's page, which is audited. */
export const revealLine: Mutation<typeof contract.revealLine, Pick<Received, 'id' | 'sealed'>> = {
  ...revealing,
  // The result is stored, so it must not have the servers' keys, which the reply reads again.
  commit: async (tx, ctx, input) => {
    const { id, sealed } = await revealing.commit(tx, ctx, input);
    return { id, sealed };
  },
  reply: async (ctx, { id, sealed }) => ({
    password: ctx.secrets.open(sealed, id),
    page: await readPageLink(ctx, ctx.db, id),
  }),
};

/** The settings of a receiver for one of the line's servers. */
export function enteredAt(server: Received['servers'][number], password: string) {
  const { server_id, server_name, username, host_port } = server;
  const address = splitHostPort(host_port);
  const { cccam, newcamd, oscam } = receiversOf(server, address, { username, password });
  const lines = { cccam, newcamd: newcamd.map(({ line }) => line), oscam: oscamFile(oscam) };
  return { server_id, server_name, address, ...lines };
}

/** Reveals the password with all other settings that are entered in a receiver. */
export const lineReceivers: Mutation<typeof contract.lineReceivers, Received> = {
  ...revealing,
  reply: async ({ secrets }, { id, sealed, servers }) => {
    const password = secrets.open(sealed, id);
    const [first, ...others] = servers.map((server) => {
      const { address: _, ...entered } = enteredAt(server, password);
      return entered;
    });
    if (!first) return fail('LINE_NOT_FOUND');
    const { cccam, newcamd, oscam } = first;
    return { cccam, newcamd, oscam, servers: [first, ...others] };
  },
};
