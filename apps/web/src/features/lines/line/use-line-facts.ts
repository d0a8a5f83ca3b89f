import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { serverOfState } from '#domain/lines/placed.ts';
import { lineServerQuery, lineStateQuery } from '#domain/lines/queries.ts';
import { receiverOf, stateOf } from '#domain/lines/state.ts';
import { useToday } from '#platform/data/settings.ts';

/** The state of a line with the texts that explain it, kept up to date with the line and its server. */
export function useLineFacts(line: Line) {
  const { data: server } = useQuery(lineServerQuery(line.id));
  const { data: state } = useQuery(lineStateQuery(line.id));
  return {
    name: stateOf(line, useToday()),
    receiver: receiverOf(line, state?.password_set_at ?? null),
    awaySince: line.server_away_since ?? state?.pending_since ?? line.updated_at,
    serverName: server?.servers.find(({ id }) => id === serverOfState(line))?.server_name ?? '',
    server,
    ...state,
  };
}

export type LineFactsShown = ReturnType<typeof useLineFacts>;
