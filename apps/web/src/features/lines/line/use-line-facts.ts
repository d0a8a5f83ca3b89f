import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { outagesQuery } from '../../../shared/data/outages.ts';
import { useToday } from '../../../shared/data/settings.ts';
import { lineServerQuery } from '../../../shared/lines/queries.ts';
import { lineStateQuery } from '../queries.ts';
import { stateOf } from './state.ts';

/** A line's state with what is said about it; every change of the line or its server tells it anew. */
export function useLineFacts(line: Line) {
  const today = useToday();
  const { data: outages } = useQuery(outagesQuery());
  const { data: server } = useQuery(lineServerQuery(line.id));
  const { data: state } = useQuery(lineStateQuery(line.id));
  const outage = outages?.items.find(
    ({ server_id, no_access }) => server_id === line.server_id && !no_access,
  );
  const awaySince = outage?.since ?? undefined;
  return {
    name: stateOf(line, { today, awaySince, hasReadAll: server?.has_read_all }),
    awaySince: awaySince ?? state?.pending_since ?? line.updated_at,
    hasReadAll: server?.has_read_all,
    serverName: server?.server_name ?? '',
    server,
    ...state,
  };
}

export type LineFactsShown = ReturnType<typeof useLineFacts>;
