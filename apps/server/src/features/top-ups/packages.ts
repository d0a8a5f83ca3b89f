import type * as contract from '@linekeeper/contract/credits/top-ups.ts';
import { type CreditPackage, MAX_PACKAGES } from '@linekeeper/contract/credits/top-ups.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { packageSubject } from '../../domain/audit/audit-subjects.ts';
import type { Action, Mutation, PlainMutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { deleteRow, refuseFull, sentRow } from '../../platform/rows.ts';
import { readSettings } from '../../platform/settings.ts';

/** Packages in the order of their credits; of equal ones, the cheaper first. */
async function readPackages(db: Db, seesAll: boolean): Promise<CreditPackage[]> {
  const rows = await db
    .selectFrom('credit_packages')
    .select(['id', 'name', 'credits', 'price_minor', 'currency', 'is_active', 'created_at'])
    .select(
      sql<number>`(select count(*) from top_ups
        where package_id = credit_packages.id and status = 'approved')::bigint`.as('bought'),
    )
    .where((where) => (seesAll ? where.lit(true) : where('is_active', '=', true)))
    .orderBy('credits')
    .orderBy('price_minor')
    .orderBy('id')
    .limit(MAX_PACKAGES)
    .execute();
  const bought = rows.filter((row) => row.is_active && row.bought > 0);
  const most = Math.max(...bought.map((row) => row.bought));
  const first = bought.find((row) => row.bought === most);
  return rows.map((row) => ({
    ...sentRow(row),
    is_most_bought: row.id === first?.id,
  }));
}

/** The package of credits with this ID. Throws PACKAGE_NOT_FOUND. */
async function findPackage(db: Db, id: string): Promise<CreditPackage> {
  const found = (await readPackages(db, true)).find((one) => one.id === id);
  return found ?? fail('PACKAGE_NOT_FOUND');
}

export const listPackages: Action<typeof contract.listPackages> = async ({
  db,
  actor,
  cardService,
}) => ({
  items: await readPackages(db, actor.is_admin),
  card_payments: cardService !== null,
  bank_details: (await readSettings(db)).bank_details,
});

export const createPackage: Mutation<typeof contract.createPackage, { id: string }> = {
  audit: { action: 'package.create', subject: packageSubject, made: ({ id }) => id },
  commit: async (tx, { actor }, { body }) => {
    await refuseFull(tx, 'credit_packages', MAX_PACKAGES, 'TOO_MANY_PACKAGES');
    const id = newId();
    await tx
      .insertInto('credit_packages')
      .values({ ...body, id, created_by: actor.id })
      .execute();
    return { id };
  },
  reply: async ({ db }, { id }) => ({ package: await findPackage(db, id) }),
};

export const editPackage: Mutation<typeof contract.editPackage, { id: string }> = {
  audit: { action: 'package.edit', subject: packageSubject },
  commit: async (tx, _, { params: { id }, body }) => {
    const edited = await tx
      .updateTable('credit_packages')
      // An UPDATE must set at least one column, and the body may have none.
      .set({ ...body, created_by: sql`created_by` })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return edited ?? fail('PACKAGE_NOT_FOUND');
  },
  reply: async ({ db }, { id }) => ({ package: await findPackage(db, id) }),
};

export const deletePackage: PlainMutation<typeof contract.deletePackage> = {
  audit: { action: 'package.delete', subject: packageSubject },
  commit: (tx, _, { params }) => deleteRow(tx, 'credit_packages', params.id, 'PACKAGE_NOT_FOUND'),
};
