import { createGroup } from '@linekeeper/contract/accounts/groups.ts';
import { fixedGroups } from '@linekeeper/contract/permissions.ts';
import type { UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';

/** Adding and editing have the same fields; what is sent differs. */
export const groupFields = createGroup.body;
export type GroupFormOf = UseFormReturn<
  z.input<typeof groupFields>,
  unknown,
  z.output<typeof groupFields>
>;

export const isFixed = (id: string) => fixedGroups.some((fixed) => fixed.id === id);
