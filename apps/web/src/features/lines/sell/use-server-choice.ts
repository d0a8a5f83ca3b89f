import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { serverChoicesQuery, takesLines } from '../../../shared/data/server-choices.ts';
import type { NewLineForm } from './add-line-types.ts';

/**
 * Keeps the server of a new line valid if a server fails, fills up or is closed while the form is open: a preselected
 * server is replaced by the newest active one; a server the seller chose is kept and reported as
 * unavailable.
 */
export function useServerChoice({ control, setValue }: NewLineForm) {
  const { data = [], isSuccess } = useQuery(serverChoicesQuery());
  const id = useWatch({ control, name: 'server_id' });
  const [offered, setOffered] = useState({ id, isReplaced: false });
  const active = data.filter(takesLines);
  const newest = active[0]?.id;
  const isChosen = id !== offered.id;
  const isGone = newest !== undefined && !active.some((server) => server.id === id);
  useEffect(() => {
    if (!isGone || isChosen) return;
    setValue('server_id', newest);
    setOffered({ id: newest, isReplaced: id !== undefined });
  }, [isGone, isChosen, newest, id, setValue]);
  return {
    active,
    gone: isGone && isChosen ? { server: data.find((server) => server.id === id) } : undefined,
    isReplaced: offered.isReplaced && !isChosen,
    isNone: isSuccess && newest === undefined,
    isAnyActive: data.some(({ status }) => status === 'active'),
  };
}

export type ServerChoice = ReturnType<typeof useServerChoice>;
