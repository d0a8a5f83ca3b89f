import { userId } from '@linekeeper/contract/fields.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../shared/session.ts';
import type { Owner } from './owner-picker.tsx';
import { ownerQuery } from './queries.ts';

/** The account that an address names by its id: from the lines found, otherwise asked for. */
export function useOwner(id: string | undefined, lines?: Line[]): Owner | undefined {
  const { is_admin } = useMe();
  const email = lines?.find(({ owner_id }) => owner_id === id)?.owner_email;
  const isAsked = is_admin && !email && userId.safeParse(id).success;
  const { data } = useQuery({ ...ownerQuery(id ?? ''), enabled: isAsked });
  if (!id) return undefined;
  return email ? { id, email } : data;
}
