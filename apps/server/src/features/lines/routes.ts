import * as codes from '@linekeeper/contract/credits/activation-codes.ts';
import * as autoRenewal from '@linekeeper/contract/lines/auto-renewal.ts';
import * as bulk from '@linekeeper/contract/lines/bulk.ts';
import * as customers from '@linekeeper/contract/lines/customers.ts';
import * as changes from '@linekeeper/contract/lines/line-changes.ts';
import * as page from '@linekeeper/contract/lines/line-page.ts';
import * as contract from '@linekeeper/contract/lines/lines.ts';
import * as reminders from '@linekeeper/contract/lines/reminders.ts';
import * as usage from '@linekeeper/contract/lines/usage.ts';
import * as orphans from '@linekeeper/contract/servers/orphans.ts';
import { lineScope } from '../../domain/context/access.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { adoptOrphans } from './adopt/adopt-orphans.ts';
import { setAutoRenewal } from './auto-renewal/set-auto-renewal.ts';
import { changePlan } from './change/change-plan.ts';
import { deleteLine } from './change/delete-line.ts';
import { editLine } from './change/edit-line.ts';
import { renewLine } from './change/renew-line.ts';
import { lineReceivers, revealLine } from './change/reveal-line.ts';
import { resumeLine, suspendLine } from './change/suspend-line.ts';
import { syncLine } from './change/sync-line.ts';
import { activate } from './codes/activate.ts';
import { listActivationCodes } from './codes/list-codes.ts';
import { createActivationCodes, refundActivationCode } from './codes/make-codes.ts';
import { cancelJob, undoJob, undoLine } from './jobs/end-job.ts';
import { jobCsv } from './jobs/job-csv.ts';
import { customersToTell, jobCustomers, markTold } from './jobs/job-customers.ts';
import { listOwnJobs, readJob } from './jobs/jobs-store.ts';
import { requestJob } from './jobs/request-job.ts';
import { countLineChoices } from './list/choice-counts.ts';
import { linesCsv } from './list/line-csv.ts';
import { lineState } from './list/line-state.ts';
import {
  countLines,
  findLine,
  findServersOfLine,
  listAskedLines,
  listLines,
  lookUpLines,
} from './list/store.ts';
import { makeLinePage, withdrawLinePage } from './page/line-page.ts';
import { lineReminders, listReminders, markReminded } from './remind/customer-reminders.ts';
import { createLine } from './sell/create-line.ts';
import { checkLineName, nextLineName, proposeLineName } from './sell/line-names.ts';
import { quoteLine } from './sell/quote-line.ts';
import { endSessions } from './usage/end-sessions.ts';
import { lineUsage } from './usage/line-usage.ts';

export const lineRoutes = [
  route(contract.listLines, (ctx, { query }) =>
    listLines(ctx.db, lineScope(ctx.actor, query), ctx.today(), query),
  ),
  route(contract.countLines, (ctx, { query }) =>
    countLines(ctx.db, lineScope(ctx.actor, query), ctx.today()),
  ),
  route(contract.countLineChoices, (ctx, { query }) =>
    countLineChoices(ctx.db, lineScope(ctx.actor, query), ctx.today()),
  ),
  route(contract.linesCsv, linesCsv),
  route(contract.createLine, createLine),
  route(orphans.adoptOrphans, adoptOrphans),
  route(changes.checkLineName, checkLineName, {
    notAudited: 'asks for a name and changes no line',
  }),
  route(changes.nextLineName, nextLineName),
  route(changes.proposeLineName, proposeLineName),
  route(contract.getLine, (ctx, { params }) => findLine(ctx.db, lineScope(ctx.actor), params.id)),
  route(changes.editLine, editLine),
  route(changes.renewLine, renewLine),
  route(autoRenewal.setAutoRenewal, setAutoRenewal),
  route(changes.changePlan, changePlan),
  route(changes.suspendLine, suspendLine),
  route(changes.resumeLine, resumeLine),
  route(changes.deleteLine, deleteLine),
  route(changes.undoLine, undoLine),
  route(contract.quoteLine, quoteLine, { notAudited: 'asks for a price and stores nothing' }),
  route(contract.syncLine, syncLine, {
    notAudited: 'delivers once more what is wanted already',
  }),
  route(contract.revealLine, revealLine),
  route(contract.lineServer, (ctx, { params }) =>
    findServersOfLine(ctx.db, lineScope(ctx.actor), params.id),
  ),
  route(contract.lineState, lineState),
  route(
    contract.lookUpLines,
    (ctx, { body }) => lookUpLines(ctx.db, lineScope(ctx.actor), body.usernames),
    { notAudited: 'finds lines and changes none' },
  ),
  route(contract.lineReceivers, lineReceivers),
  route(page.makeLinePage, makeLinePage),
  route(page.withdrawLinePage, withdrawLinePage),
  route(page.askedLines, async ({ db, actor }) => ({ items: await listAskedLines(db, actor) })),
  route(usage.lineUsage, lineUsage),
  route(usage.endSessions, endSessions),
  route(bulk.bulkLines, requestJob),
  route(bulk.listJobs, async ({ db, actor }) => ({ items: await listOwnJobs(db, actor) })),
  route(bulk.getJob, ({ db, actor }, { params, query }) =>
    readJob(db, actor, params.id, query.items, query.after),
  ),
  route(bulk.cancelJob, cancelJob),
  route(bulk.undoJob, undoJob),
  route(bulk.jobCsv, jobCsv),
  route(customers.jobCustomers, jobCustomers),
  route(customers.markTold, markTold),
  route(customers.customersToTell, customersToTell),
  route(reminders.listReminders, listReminders),
  route(reminders.lineReminders, lineReminders),
  route(reminders.markReminded, markReminded),
  route(codes.listActivationCodes, listActivationCodes),
  route(codes.createActivationCodes, createActivationCodes),
  route(codes.refundActivationCode, refundActivationCode),
  route(codes.activate, activate),
];
