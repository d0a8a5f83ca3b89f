import { type Server, type ServerTest, testServer } from '@linekeeper/contract/servers/servers.ts';
import { useRef, useState } from 'react';
import { call } from '../../../shared/api/client.ts';
import { useRefreshServers } from '../queries.ts';

/** Same number of parallel tests as the panel runs itself. */
const AT_A_TIME = 8;

export type CheckState =
  | { kind: 'waiting' }
  | { kind: 'testing' }
  | { kind: 'done'; result: ServerTest }
  | { kind: 'failed'; error: unknown };

/** Tests servers one by one, some in parallel, so that each result is shown as it arrives. */
export function useCheckRun() {
  const [states, setStates] = useState<ReadonlyMap<string, CheckState>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const isBusy = useRef(false);
  const refresh = useRefreshServers();

  const note = (id: string, state: CheckState) =>
    setStates((before) => new Map(before).set(id, state));

  const testOne = async (id: string) => {
    note(id, { kind: 'testing' });
    try {
      note(id, { kind: 'done', result: await call(testServer, { params: { id } }) });
    } catch (error) {
      note(id, { kind: 'failed', error });
    }
  };

  const run = async (servers: readonly Server[]) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(true);
    setStates(new Map(servers.map(({ id }) => [id, { kind: 'waiting' }])));
    const waiting = servers.values();
    const worker = async () => {
      for (const { id } of waiting) await testOne(id);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    isBusy.current = false;
    setRunning(false);
    await refresh();
  };

  return { states, isRunning, run };
}
