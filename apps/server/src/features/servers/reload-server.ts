import type { Parsed, ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/servers.ts';
import type { StoredReload } from '../../db/schema/server-schema.ts';
import { noteReload } from '../../domain/machines/agent-reports.ts';
import { NOT_READ_YET } from '../../domain/machines/card-server/agent-report.ts';
import { openDriver } from '../../domain/machines/open-driver.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { findServer, findServerRow, toReload } from './store.ts';

type ReloadReply = ReplyToSend<typeof contract.reloadServer>;

function toReloadReply(applied: boolean, reload: StoredReload | null): ReloadReply {
  const finding = applied ? null : (reload?.finding ?? NOT_READ_YET);
  return { applied, ...findingWithMessage(finding), reload: toReload(reload) };
}

/** Has the card server read its accounts again, and says at once what came of it. */
export const reloadServer: Action<typeof contract.reloadServer> = async (
  ctx,
  { params }: Parsed<typeof contract.reloadServer>,
) => {
  const row = await findServerRow(ctx.db, params.id);
  const result = await openDriver(ctx, row).reread(ctx.stopping.signal);
  if (!result.ok) {
    const { reload } = await findServer(ctx.db, row.id);
    return { applied: false, ...findingWithMessage(result.finding), reload };
  }
  if (result.reload) await noteReload(ctx.db, row, result.reload);
  return toReloadReply(result.applied, result.reload);
};
