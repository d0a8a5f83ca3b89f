import type * as contract from '@linekeeper/contract/accounts/groups.ts';
import { ADMIN_GROUP, fixedGroups, permissions } from '@linekeeper/contract/permissions.ts';
import { checkGrant, requireSessionFor } from '../../domain/accounts/account-policy.ts';
import { groupSubject } from '../../domain/audit/audit-subjects.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { checkNameIsFree, findGroup, lockGroups, nextGroupId } from './store.ts';

type Saved = { id: string };

const reply = async ({ db, actor }: Ctx, { id }: Saved) => ({
  group: await findGroup(db, actor, id),
});

export const createGroup: Mutation<typeof contract.createGroup, Saved> = {
  audit: { action: 'group.create', subject: groupSubject, made: ({ id }) => id },
  commit: async (tx, ctx, { body }) => {
    await lockGroups(tx);
    checkGrant(ctx.actor, 'permissions', body.permissions);
    requireSessionFor(ctx, body.permissions);
    await checkNameIsFree(tx, body.name);
    const id = await nextGroupId(tx);
    const row = { ...body, id };
    await tx.insertInto('groups').values(row).execute();
    return { id };
  },
  reply,
};

/**
 * Throws FORBIDDEN or OWN_GROUP unless an administrator changes the group, if it is the group Admin or the actor's own.
 */
function checkEditable(actor: SignedIn, id: string): void {
  if (actor.is_admin) return;
  if (id === ADMIN_GROUP) fail('FORBIDDEN');
  if (id === actor.group_id) fail('OWN_GROUP');
}

export const editGroup: Mutation<typeof contract.editGroup, Saved> = {
  audit: { action: 'group.edit', subject: groupSubject },
  lessens: async (_, { actor }, { params: { id }, body }) =>
    body.permissions && id !== actor.group_id ? [{ group_id: id }] : [],
  commit: async (tx, ctx, { params: { id }, body }) => {
    const { actor } = ctx;
    await lockGroups(tx);
    const group = await findGroup(tx, actor, id);
    checkEditable(actor, id);
    const chosen = body.permissions ?? group.permissions;
    if (id === ADMIN_GROUP && chosen.length < permissions.length) {
      failField('permissions', 'ADMIN_KEEPS_PERMISSIONS');
    }
    // Removing a permission requires the actor to have it, because an actor without it could not grant it again.
    const changed = permissions.filter(
      (permission) => chosen.includes(permission) !== group.permissions.includes(permission),
    );
    checkGrant(actor, 'permissions', changed);
    requireSessionFor(ctx, changed);
    if (body.name !== undefined) await checkNameIsFree(tx, body.name, id);
    if (Object.keys(body).length > 0) {
      await tx.updateTable('groups').set(body).where('id', '=', id).execute();
    }
    return { id };
  },
  reply,
};

export const deleteGroup: Mutation<typeof contract.deleteGroup, Saved> = {
  audit: { action: 'group.delete', subject: groupSubject },
  commit: async (tx, ctx, { params: { id } }) => {
    await lockGroups(tx);
    // The group is locked before its members are counted, so that an account which is just joining it is waited for.
    await tx.selectFrom('groups').select('id').where('id', '=', id).forUpdate().execute();
    const { member_count } = await findGroup(tx, ctx.actor, id);
    checkEditable(ctx.actor, id);
    if (fixedGroups.some((fixed) => fixed.id === id)) fail('GROUP_IS_FIXED');
    if (member_count > 0) fail('GROUP_HAS_USERS', { count: member_count });
    await tx.deleteFrom('groups').where('id', '=', id).execute();
    return { id };
  },
  reply: async () => ({ success: true }),
};
