import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { lineUsername } from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/servers/orphans.ts';
import type { AdoptionRefusal } from '@linekeeper/contract/servers/orphans.ts';
import { sql } from 'kysely';
import type { ServerRow } from '../../../db/schema/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../../domain/audit/audit.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { syncReply } from '../../../domain/delivery/pushes.ts';
import { type ServerAccount, settleFound } from '../../../domain/delivery/settle.ts';
import { lockSharedNames } from '../../../domain/lines/sent-names.ts';
import type { ShownAccount } from '../../../domain/machines/card-server/driver.ts';
import { openDriver } from '../../../domain/machines/open-driver.ts';
import {
  findOrphans,
  forgetOrphans,
  type LockedOrphan,
  lockOrphans,
} from '../../../domain/machines/orphans.ts';
import { hasAddressChanged } from '../../../domain/machines/same-machine.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';
import { pushAll } from '../change/committed-change.ts';
import { chooseOwner } from '../change/move.ts';
import { insertLines, rowOfNewLine } from '../sell/sell-lines.ts';

type Body = Parsed<typeof contract.adoptOrphans>['body'];

interface Adopted {
  items: {
    id: string;
    username: string;
    server_id: string;
    line_id: string | null;
    refusal: AdoptionRefusal | null;
  }[];
  pushes: ServerAccount[];
}

/** The accounts that a server has under the names of its orphans; null if it does not respond. */
interface ServerAnswer {
  server: ServerRow;
  accounts: ReadonlyMap<string, ShownAccount> | null;
}
type AnswersByServer = ReadonlyMap<string, ServerAnswer>;

async function askServers(ctx: Ctx, ids: readonly string[]): Promise<AnswersByServer> {
  const orphans = await findOrphans(ctx.db, ids);
  const namesOn = Map.groupBy(orphans, ({ server_id }) => server_id);
  const servers = await ctx.db
    .selectFrom('cccam_servers')
    .selectAll()
    .where(sql<boolean>`id = any (${[...namesOn.keys()]}::uuid[])`)
    .execute();
  const answers = await Promise.all(
    servers.map(async (server) => {
      const names = (namesOn.get(server.id) ?? []).map(({ username }) => username);
      const accounts = await openDriver(ctx, server).show(names, ctx.stopping.signal);
      return [server.id, { server, accounts }] as const;
    }),
  );
  return new Map(answers);
}

/** The account after the adoption, and whether its server already has exactly that. */
interface Account {
  password: string;
  expiry_date: string;
  isAsAnswered: boolean;
}

function accountOf(
  { username, server }: LockedOrphan,
  body: Body,
  answer: ServerAnswer | undefined,
): Account | AdoptionRefusal {
  // The response of another machine proves nothing about the one at the new address.
  if (!answer?.accounts || hasAddressChanged(answer.server, server)) return 'ORPHAN_SERVER_AWAY';
  const account = answer.accounts.get(username);
  if (!account) return 'ORPHAN_GONE';
  const name = lineUsername.safeParse(username);
  if (!name.success || name.data !== username) return 'ORPHAN_NAME_UNFIT';
  const password = body.password ?? account.password;
  const expiry_date = body.expiry_date ?? account.expiry_date;
  if (password === null) return 'ORPHAN_PASSWORD_UNKNOWN';
  if (expiry_date === null) return 'ORPHAN_EXPIRY_UNKNOWN';
  const isEqual = password === account.password && expiry_date === account.expiry_date;
  const isAsAnswered = isEqual && !account.is_to_push;
  return { password, expiry_date, isAsAnswered };
}

/** An account that can be adopted as a line. */
interface Adoptable {
  orphan: LockedOrphan;
  account: Account;
  line_id: string;
}

/** Inserts the lines, some of which their servers already have in full; returns those whose names were free. */
async function insertAdopted(
  tx: Tx,
  ctx: Ctx,
  adoptable: readonly Adoptable[],
  owner_id: string,
): Promise<Adoptable[]> {
  if (adoptable.length === 0) return [];
  const taken = await insertLines(
    tx,
    adoptable.map(
      ({ orphan: { username, server }, account: { password, expiry_date }, line_id: id }) => ({
        ...rowOfNewLine({ username, is_trial: false }, server),
        id,
        password: ctx.secrets.seal(password, id),
        added_date: ctx.today(),
        expiry_date,
        owner_id,
      }),
    ),
  );
  const made = adoptable.filter(({ line_id }) => !taken.has(line_id));
  // The servers already have these names, so they are not compared; the lock only makes sales of other lines wait.
  await lockSharedNames(
    tx,
    made.map(({ orphan }) => orphan),
  );
  const ids = made.map(({ line_id }) => line_id);
  const asAnswered = made.flatMap(({ account, line_id }) =>
    account.isAsAnswered ? [line_id] : [],
  );
  await settleFound(tx, ids, asAnswered);
  return made;
}

async function adopt(tx: Tx, ctx: Ctx, body: Body, answers: AnswersByServer): Promise<Adopted> {
  const orphans = await lockOrphans(tx, body.ids);
  const owner_id = await chooseOwner(tx, ctx.actor, body.owner_id);
  const tried = orphans.map((orphan) => ({
    ...{ orphan, line_id: newId() },
    account: accountOf(orphan, body, answers.get(orphan.server_id)),
  }));
  const adoptable = tried.flatMap(({ account, ...about }): Adoptable[] =>
    typeof account === 'string' ? [] : [{ ...about, account }],
  );
  const made = await insertAdopted(tx, ctx, adoptable, owner_id);
  const idOf = new Map(made.map(({ orphan, line_id }) => [orphan.id, line_id]));
  const items = tried.map(({ orphan: { id, username, server_id }, account }) => {
    const line_id = idOf.get(id) ?? null;
    const taken: AdoptionRefusal | null = line_id ? null : 'USERNAME_EXISTS';
    const refusal = typeof account === 'string' ? account : taken;
    return { id, username, server_id, line_id, refusal };
  });
  await forgetOrphans(
    tx,
    made.map(({ orphan }) => orphan),
  );
  await writeAudit(
    tx,
    auditOriginOf(ctx),
    made.map(({ orphan: { username, server_id }, account: { expiry_date }, line_id }) => ({
      action: 'line.adopt',
      subject_type: 'line',
      subject_id: line_id,
      after: { username, server_id, owner_id, expiry_date },
    })),
  );
  const pushes = made.flatMap(({ orphan: { server_id, username }, account }) =>
    account.isAsAnswered ? [] : [{ server_id, username }],
  );
  return { items, pushes };
}

/**
 * Creates lines for accounts that card servers have and the panel does not know. The servers are asked just before, so
 * that no line is created for a removed account, and each line gets the account's password.
 */
export const adoptOrphans: Mutation<typeof contract.adoptOrphans, Adopted, AnswersByServer> = {
  audit: { auditsItself: 'an entry for each line' },
  prepare: (ctx, { body: { ids, password, expiry_date } }) => {
    if (ids.length > 1 && password !== undefined) failField('password', 'INVALID_VALUE');
    if (ids.length > 1 && expiry_date !== undefined) failField('expiry_date', 'INVALID_VALUE');
    return askServers(ctx, ids);
  },
  commit: async (tx, ctx, { body }, answers) => {
    const adopted = await adopt(tx, ctx, body, answers);
    if (body.ids.length > 1) return adopted;
    const [one] = adopted.items;
    if (!one?.line_id) fail(one?.refusal ?? 'ORPHAN_GONE');
    return adopted;
  },
  reply: async (ctx, { items, pushes }) => ({ items, ...syncReply(await pushAll(ctx, pushes)) }),
};
