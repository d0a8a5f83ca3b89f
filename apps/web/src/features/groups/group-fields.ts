import { createGroup } from '@linekeeper/contract/accounts/groups.ts';
import { fixedGroups } from '@linekeeper/contract/permissions.ts';
import type { UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';

/** The fields for adding and editing a group, which are the same; only the requests differ. */
export const groupFields = createGroup.body;
export type GroupFormOf = UseFormReturn<
  z.input<typeof groupFields>,
  unknown,
  z.output<typeof groupFields>
>;

export const isFixed = (id: string) => fixedGroups.some((fixed) => fixed.id === id);
