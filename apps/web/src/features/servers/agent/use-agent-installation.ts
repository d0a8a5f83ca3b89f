import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { awaitServer, getAwaitedServer } from '@linekeeper/contract/servers/awaited.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCommand } from '#kit/commands/use-command.ts';
import { callQuery } from '#platform/api/call-query.ts';
import { call } from '#platform/api/client.ts';

type Made = Reply<typeof awaitServer>;

/** The query of the state of an awaited agent; refetched when it calls. */
export const awaitedQuery = (id: string) =>
  callQuery('servers', getAwaitedServer, { params: { id }, retry: false });

/**
 * The query key of a server's command. A command is made for each visit of a page and not stored,
 * because the key in it is a secret.
 */
const commandKey = (id: string | undefined) => ['server-command', id ?? 'new'] as const;

/** True once the key has expired. The hook renders at that moment, even if nothing else happens. */
function useHasEnded(expires_at: string | undefined): boolean {
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    setEnded(false);
    if (expires_at === undefined) return;
    const timer = setTimeout(() => setEnded(true), Date.parse(expires_at) - Date.now());
    return () => clearTimeout(timer);
  }, [expires_at]);
  return hasEnded;
}

/**
 * The command that installs an agent, created when its page opens, and the state of the agent's calls. With a server,
 * the command installs that server's agent again.
 */
export function useNewInstallation(server_id?: string) {
  const queryClient = useQueryClient();
  const key = commandKey(server_id);
  const made = useQuery({
    queryKey: key,
    queryFn: () => call(awaitServer, { body: { server_id } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const id = made.data?.awaited.id ?? '';
  const renewal = useCommand(awaitServer, {
    refreshes: ['servers'],
    done: (reply: Made) => queryClient.setQueryData(key, reply),
  });
  const awaited = useQuery({ ...awaitedQuery(id), enabled: id !== '' });
  const state = awaited.data ?? made.data?.awaited;
  return {
    error: made.error,
    retry: () => void made.refetch(),
    command: made.data?.command,
    awaited: state,
    hasEnded: useHasEnded(state?.expires_at),
    renew: () => renewal.send({ id }),
    isRenewing: renewal.isPending,
  };
}

/**
 * The awaited agent of a server that was added before its agent had called. There is no command until a new key is
 * created.
 */
export function useStoredInstallation(id: string) {
  const [command, setCommand] = useState<string>();
  const awaited = useQuery(awaitedQuery(id));
  const renewal = useCommand(awaitServer, {
    refreshes: ['servers'],
    done: (reply: Made) => setCommand(reply.command),
  });
  return {
    error: awaited.error,
    retry: () => void awaited.refetch(),
    command,
    awaited: awaited.data,
    hasEnded: useHasEnded(awaited.data?.expires_at),
    renew: () => renewal.send({ id }),
    isRenewing: renewal.isPending,
  };
}

export type Installation = ReturnType<typeof useNewInstallation>;
