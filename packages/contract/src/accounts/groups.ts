import * as z from 'zod';
import { creation, done, endpoint, entity, ofRecord } from '../endpoint.ts';
import { changesOf, groupIdOr, invalid, moment, optionalText } from '../fields/fields.ts';
import { requiredName } from '../fields/names.ts';
import { listOf } from '../lists/list.ts';
import { groupsList } from '../lists/lists.ts';
import { type Permission, permissions } from '../permissions.ts';

const permission = z.enum(permissions);

/** A group: permissions that its accounts have. */
export const group = entity('Group', {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  permissions: z.array(permission),
  member_count: z.number().int(),
  made_by: z.string().nullable(),
  created_at: moment,
});
export type Group = z.output<typeof group>;

/**
 * Permissions without duplicates and in a fixed order. An unknown permission is reported under the field's name, not
 * under an array index.
 */
const chosenPermissions = z
  .array(z.string(invalid).meta({ enum: [...permissions] }), invalid)
  .max(100, invalid)
  .refine((chosen) => chosen.every((one) => permission.safeParse(one).success), invalid)
  .transform((chosen) => permissions.filter((one) => chosen.includes(one))) as unknown as z.ZodType<
  Permission[],
  Permission[]
>;

const newGroup = z.object({
  name: requiredName(100),
  description: optionalText(500),
  permissions: chosenPermissions.default([]),
});

const ofGroup = ofRecord(['manage_groups'], 'GROUP_NOT_FOUND', groupIdOr('GROUP_NOT_FOUND'));

export const listGroups = endpoint('listGroups', 'GET /api/groups', {
  summary: 'List groups',
  description: 'Lists groups with their permissions and number of members, oldest first.',
  access: ['view_groups', 'manage_groups'],
  ...listOf(groupsList, group),
});

export const createGroup = endpoint('createGroup', 'POST /api/groups', {
  ...creation,
  summary: 'Create a group',
  description: 'Creates a group. You can grant only permissions that you have.',
  access: ['manage_groups'],
  body: newGroup,
  output: z.object({ group }),
  errors: ['GROUP_NAME_EXISTS', 'PERMISSION_NOT_OWN'],
});

export const editGroup = endpoint('editGroup', 'PATCH /api/groups/{id}', {
  ...ofGroup,
  summary: 'Change a group',
  description: 'Changes the fields that you send. Members lose a removed permission immediately.',
  body: z.object(changesOf(newGroup.shape)),
  output: z.object({ group }),
  errors: ['GROUP_NAME_EXISTS', 'OWN_GROUP', 'PERMISSION_NOT_OWN', 'ADMIN_KEEPS_PERMISSIONS'],
});

export const deleteGroup = endpoint('deleteGroup', 'DELETE /api/groups/{id}', {
  ...ofGroup,
  summary: 'Delete a group',
  description: 'Deletes a group without members. The three fixed groups cannot be deleted.',
  output: done,
  errors: ['GROUP_HAS_USERS', 'GROUP_IS_FIXED'],
});
