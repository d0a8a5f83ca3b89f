import { nextLineName } from '@linekeeper/contract/lines/line-changes.ts';
import { useWatch } from 'react-hook-form';
import { callQuery } from '#platform/api/call-query.ts';
import { call } from '#platform/api/client.ts';
import type { NewLineForm } from './add-line-types.ts';

/** The query of the suggested username for the next line. It is not cached, because each sale uses the next number. */
export const nextNameQuery = () =>
  callQuery('line-name', nextLineName, { gcTime: 0, staleTime: Number.POSITIVE_INFINITY });

/**
 * Returns `isProposed`, which is true while the form's username is the suggested one, and
 * `takeNext`, which fills in the next free name.
 */
export function useProposedName(
  { control, getValues, setValue, setFocus }: NewLineForm,
  name: string,
) {
  const username = useWatch({ control, name: 'username' });
  return {
    isProposed: name !== '' && username === name,
    /** Fills in the name after one that another line has. */
    takeNext: async () => {
      const next = await call(nextLineName, { query: { after: getValues('username') } });
      setValue('username', next.username, { shouldDirty: true, shouldValidate: true });
      setFocus('username', { shouldSelect: true });
    },
  };
}

export type ProposedName = ReturnType<typeof useProposedName>;
