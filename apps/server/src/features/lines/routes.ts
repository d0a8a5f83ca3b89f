import * as changes from '@linekeeper/contract/line-changes.ts';
import * as contract from '@linekeeper/contract/lines.ts';
import { lineScope } from '../../core/access.ts';
import { route } from '../../core/use-case.ts';
import { createLine } from './create-line.ts';
import { deleteLine } from './delete-line.ts';
import { editLine } from './edit-line.ts';
import { quoteLine } from './quote-line.ts';
import { renewLine } from './renew-line.ts';
import { revealLine } from './reveal-line.ts';
import { countLines, findLine, listLines } from './store.ts';
import { syncLine } from './sync-line.ts';

export const lineRoutes = [
  route(contract.listLines, (ctx, { query }) =>
    listLines(ctx.db, lineScope(ctx.actor), ctx.today(), query),
  ),
  route(contract.countLines, (ctx) => countLines(ctx.db, lineScope(ctx.actor), ctx.today())),
  route(contract.createLine, createLine),
  route(contract.getLine, (ctx, { params }) => findLine(ctx.db, lineScope(ctx.actor), params.id)),
  route(changes.editLine, editLine),
  route(changes.renewLine, renewLine),
  route(changes.deleteLine, deleteLine),
  route(contract.quoteLine, quoteLine),
  route(contract.syncLine, syncLine),
  route(contract.revealLine, revealLine),
];
