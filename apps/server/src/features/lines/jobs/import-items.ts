import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import type { Tx } from '../../../db/transaction.ts';
import { otherServers, readPlaces } from '../../../domain/lines/places.ts';
import { isPlace, reachedColumns, reserveCapacity } from '../../../domain/machines/servers.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { refuseUnchanged } from '../change/plan.ts';
import { planRenewal } from '../change/renewal.ts';
import { suspendedColumns } from '../change/suspension.ts';
import type { KeptLine, KeptMonths } from '../import/plan-row.ts';
import { type Payer, readPayer, termOfImportedLine } from '../price/price.ts';
import { type NewLineSale, RowsRefused, rowOfNewLine, sellLines } from '../sell/sell-lines.ts';
import { changed, lockAndPlan } from './change-items.ts';
import type { CarryOut, Outcome, WaitingItem } from './job-items.ts';

/** An item that creates a line. */
interface MakingItem extends WaitingItem {
  line_id: string;
  input: KeptLine;
}

/** An item that renews an existing line. */
interface RenewingItem extends WaitingItem {
  input: KeptMonths;
}

const isRenewing = (item: WaitingItem): item is RenewingItem =>
  'extends_by' in (item.input as object);
const isMaking = (item: WaitingItem): item is MakingItem => !isRenewing(item);

/**
 * Locks the servers against deletion until the transaction ends. Throws NO_ACTIVE_SERVERS, and SERVER_CLOSED or
 * SERVER_FULL if a server does not accept that many lines any more, unless it already has them.
 */
async function lockServers(tx: Tx, items: readonly MakingItem[], adopts: boolean) {
  const ids = [...new Set(items.map(({ input }) => input.server_id))];
  const servers = await tx
    .selectFrom('cccam_servers')
    .select([...reachedColumns, 'id', 'closed_to_new_lines', 'max_lines'])
    .where('id', 'in', ids)
    .where('status', '=', 'active')
    .orderBy('id')
    .forKeyShare()
    .execute();
  if (servers.length < ids.length) fail('NO_ACTIVE_SERVERS');
  for (const server of servers) {
    const count = items.filter(({ input }) => input.server_id === server.id).length;
    if (!adopts) await reserveCapacity(tx, server, count, 'server_id');
  }
  return new Map(servers.map((server) => [server.id, server]));
}

interface ItemSale extends NewLineSale {
  item: MakingItem;
}

/**
 * The suspension of a line that was switched off in its previous panel; anyone who may change the line can resume it.
 */
function offAtItsSource({ status = [] }: KeptLine, by_id: string) {
  const columns = suspendedColumns({ status, suspension: null }, by_id, undefined);
  return {
    status: JSON.stringify(columns.status),
    suspension: JSON.stringify(columns.suspension),
  };
}

/** Locks the lines that items renew, and plans the renewals. Throws RowsRefused if some are refused. */
async function planRenewals(tx: Tx, payer: Payer, items: readonly RenewingItem[]) {
  const { planned, failed } = await lockAndPlan(
    tx,
    payer.actor,
    items,
    async () =>
      (line, { input: { extends_by: subscription_months } }) =>
        refuseUnchanged(planRenewal(line, { subscription_months }, payer)),
  );
  if (failed.length === 0) return planned;
  throw new RowsRefused(new Map(failed.map(({ line_id, error }) => [line_id ?? '', error])));
}

/**
 * The sales of items that create lines. Throws PLAN_NOT_FOUND, SERVER_NOT_OF_PLAN, and the errors of `lockServers` and
 * `termOfImportedLine`.
 */
async function readSales(
  tx: Tx,
  payer: Payer,
  items: readonly MakingItem[],
  adopts: boolean,
): Promise<ItemSale[]> {
  if (items.length === 0) return [];
  const { trial_days } = await readSettings(tx);
  const servers = await lockServers(tx, items, adopts);
  const places = await readPlaces(tx);
  return items.map((item) => {
    const { line_id, input: line } = item;
    // A row that version 1.8, without plans, has stored gets the plan Standard.
    const { plan_id = STANDARD_PLAN } = line;
    const term = termOfImportedLine(payer, { ...line, plan_id }, trial_days);
    const server = servers.get(line.server_id) ?? fail('NO_ACTIVE_SERVERS');
    const row = {
      ...rowOfNewLine(line, server),
      id: line_id,
      password: line.password,
      added_date: line.added_date ?? payer.today,
      expiry_date: term.expiry_date,
      owner_id: line.owner_id,
      plan_id,
      ...(line.is_suspended && offAtItsSource(line, payer.actor.id)),
    };
    // The plan's servers may have changed since the rows were checked.
    const plan = places.get(plan_id) ?? fail('PLAN_NOT_FOUND');
    if (!isPlace(plan, server.id)) fail('SERVER_NOT_OF_PLAN');
    return { item, row, term, also: otherServers(plan, server.id) };
  });
}

/** The outcome of an item that has created its line, with its payment. */
function made({ item, row, term }: ItemSale, transfers: ReadonlyMap<string, string>): Outcome {
  const { position, line_id, username } = item;
  const { expiry_date, is_trial, subscription_months, server_id, plan_id, owner_id } = row;
  const after = { expiry_date, is_trial, subscription_months, server_id, plan_id, owner_id };
  const transfer_id = transfers.get(line_id) ?? null;
  return { position, line_id, username, state: 'done', after, cost: term.cost, transfer_id };
}

/**
 * Sells and renews the lines of a file: the lines, one debit, and the wanted states on servers. Throws RowsRefused, and
 * the errors of `readSales` and `sellLines`.
 */
export const importItems: CarryOut = async (tx, acting, job, items) => {
  const adopts = job.arguments.adopt === true;
  const payer = await readPayer(tx, acting);
  // Lines are locked before servers, in the order in which a move locks them.
  const renewals = await planRenewals(tx, payer, items.filter(isRenewing));
  const sales = await readSales(tx, payer, items.filter(isMaking), adopts);
  const sold = await sellLines(tx, acting, sales, { job_id: job.id, renewals, adopts });
  if (sold instanceof RowsRefused) {
    const problems = [...sold.problems].map(([id, problem]) => {
      return [id, { ...problem, field: 'username' }] as const;
    });
    throw new RowsRefused(new Map(problems));
  }
  const { transfers } = sold;
  return [
    ...renewals.map((one) => ({ ...changed(one, transfers), months: one.item.input.extends_by })),
    ...sales.map((one) => made(one, transfers)),
  ];
};
