import { createHash } from 'node:crypto';
import { type Day, today } from '@linekeeper/contract/dates.ts';
import type { Endpoint, Parsed } from '@linekeeper/contract/endpoint.ts';
import pino from 'pino';
import { type Connection, connectEmbedded, connectPostgres } from '../../../db/connect.ts';
import { transact } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { ctxOfAccount, type Services } from '../../../domain/context/context.ts';
import { ISSUANCE, moveCredits } from '../../../domain/credits/credits.ts';
import { runUseCase } from '../../../domain/use-cases/run-use-case.ts';
import type { Route } from '../../../domain/use-cases/use-case.ts';
import { accountRoutes } from '../../../features/accounts/routes.ts';
import { creditRoutes } from '../../../features/credits/routes.ts';
import { lineRoutes } from '../../../features/lines/routes.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { Refusal } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';
import { createServices } from '../../../services.ts';
import type { TestDatabase } from '../../panel.ts';
import { makeMigratedDatabase } from '../../process/process.ts';
import { type Act, plusDays, type Seller } from './model.ts';

const routes = [...lineRoutes, ...accountRoutes, ...creditRoutes];

/** Runs use cases on a database without HTTP and card servers, for speed. */
export interface LedgerWorld {
  services: Services;
  admin: SignedIn;
  close(): Promise<void>;
}

function open(env: Record<string, string>): Promise<Connection> {
  return env.DATABASE_URL
    ? connectPostgres(env.DATABASE_URL)
    : connectEmbedded(env.DATA_DIR ?? null);
}

export async function openLedgerWorld(kind: TestDatabase): Promise<LedgerWorld> {
  const { env, remove } = await makeMigratedDatabase(kind);
  const connection = await open(env);
  const services = createServices(
    readConfig(env),
    connection,
    'a secret key of the tests, long enough',
    pino({ level: 'silent' }),
  );
  const admin = { ...(await addAccount(services, '1', null)), is_admin: true };
  const server = {
    id: newId(),
    server_name: 'Nowhere',
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: 1,
    api_scheme: 'http',
    username: 'panel',
    password: 'never opened',
    protocol: 'CCcam',
    status: 'active',
    latency_ms: null,
    user_id: null,
  } as const;
  await services.db.insertInto('cccam_servers').values(server).execute();
  return {
    services,
    admin,
    close: async () => {
      await connection.close();
      await remove();
    },
  };
}

async function addAccount(
  { db }: Services,
  group_id: string,
  owner_id: string | null,
): Promise<SignedIn> {
  const id = newId();
  const email = `${id}@panel.example`;
  const about = { full_name: '', username: email, notes: null, avatar_url: null };
  await db
    .insertInto('auth_users')
    .values({ ...about, id, email, group_id, owner_id })
    .execute();
  const permissions = ['view_users', 'add_credits'] as const;
  return { id, email, group_id, is_admin: false, permissions };
}

export type Sellers = Record<Seller, SignedIn>;

/** Adds three new accounts for a sequence: two of them one below the other, and a stranger. */
export async function addSellers(
  { services, admin }: LedgerWorld,
  opening: Record<Seller, number>,
): Promise<Sellers> {
  const top = await addAccount(services, '2', null);
  const below = await addAccount(services, '2', top.id);
  const stranger = await addAccount(services, '2', null);
  const sellers = { top, below, stranger };
  await transact(services.db, async (tx) => {
    for (const [name, { id }] of Object.entries(sellers)) {
      const amount = opening[name as Seller];
      if (amount === 0) continue;
      const mint = { kind: 'mint', from_id: ISSUANCE, to_id: id } as const;
      await moveCredits(tx, { ...mint, amount, actor_id: admin.id });
    }
  });
  return sellers;
}

export interface Request {
  endpoint: string;
  id: string | null;
  body: Record<string, unknown>;
}

export interface Targets {
  line: string;
  transfer: string;
  /** Prefix for the names of lines, which are unique in the whole panel. */
  prefix: string;
  sellers: Sellers;
}

/** The request for an act, slightly different if `altered`. */
export function requestOf(act: Act, day: Day, targets: Targets): Request {
  const { line, transfer, prefix, sellers } = targets;
  const other = 'other' in act ? sellers[act.other].id : null;
  switch (act.do) {
    case 'sell': {
      const term = act.months === null ? { is_trial: true } : { subscription_months: act.months };
      const body = { username: `${prefix}-${act.name}`, password: 'pw', ...term };
      return { endpoint: 'createLine', id: null, body };
    }
    case 'renew':
      return { endpoint: 'renewLine', id: line, body: { subscription_months: act.months } };
    case 'renew_until':
      return {
        endpoint: 'renewLine',
        id: line,
        body: { expiry_date: plusDays(day, act.days), may_shorten: true },
      };
    case 'edit_until':
      return { endpoint: 'editLine', id: line, body: { expiry_date: plusDays(day, act.days) } };
    case 'delete':
      return { endpoint: 'deleteLine', id: line, body: {} };
    case 'give':
      return { endpoint: 'addCredits', id: other, body: { amount: act.amount } };
    case 'take_back':
      return { endpoint: 'takeBackCredits', id: other, body: { amount: act.amount } };
    case 'set':
      return { endpoint: 'setCredits', id: other, body: { credits: act.amount, note: 'model' } };
    case 'move': {
      const owner_id = act.owner && sellers[act.owner].id;
      return { endpoint: 'editAccount', id: other, body: { owner_id } };
    }
    case 'refund':
      return { endpoint: 'refundTransfer', id: transfer, body: {} };
  }
}

/** The use case without its push, because card servers do not affect credits. */
function withoutPush({ endpoint, useCase }: Route): Route['useCase'] {
  const { commit, reply: send } = useCase;
  if (!commit || !send) return useCase;
  const reply: typeof send = async (ctx, result, input) => {
    if (endpoint.name === 'deleteLine') return { sync: null };
    if (typeof result !== 'object') return send(ctx, result, input);
    if (endpoint.name !== 'createLine') {
      return send(ctx, { ...(result as object), pushes: [] }, input);
    }
    const sold = result as { line: { id: string }; cost: number; credits: number };
    const line = await ctx.db
      .selectFrom('users')
      .select(['id', 'expiry_date', 'is_trial'])
      .where('id', '=', sold.line.id)
      .executeTakeFirst();
    return { line, cost: sold.cost, credits: sold.credits };
  };
  return { ...useCase, reply };
}

const handlers = new Map(
  routes.map((route) => [route.endpoint.name, { ...route, useCase: withoutPush(route) }]),
);

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it reads
  body: any;
  was_replayed: boolean;
}

/** Sends a request as `actor`. Returns refusals instead of throwing them. */
export async function send(
  { services }: LedgerWorld,
  actor: SignedIn,
  request: Request,
  key: string,
): Promise<Answer> {
  const found = handlers.get(request.endpoint);
  if (!found) throw new Error(`There is no call ${request.endpoint}`);
  const { endpoint } = found;
  const ctx = { ...ctxOfAccount(services, actor), address: '127.0.0.1', network: '127.0.0.1' };
  const input = {
    params: request.id ? { id: request.id } : undefined,
    query: undefined,
    body: endpoint.body?.parse(request.body),
  } as Parsed<Endpoint>;
  const idempotentRequest = {
    account_id: actor.id,
    endpoint: endpoint.name,
    key,
    body_hash: createHash('sha256').update(JSON.stringify(input)).digest('base64'),
  };
  try {
    return await runUseCase(found, ctx, input, idempotentRequest);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { body: error.body, was_replayed: false };
  }
}

export function todayOf({ services }: LedgerWorld): Day {
  return today(services.config.time_zone);
}
