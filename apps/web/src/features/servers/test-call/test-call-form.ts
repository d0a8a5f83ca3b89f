import type { Reply } from '@linekeeper/contract/endpoint.ts';
import {
  type ServerCall,
  serverCalls,
  type testCall,
} from '@linekeeper/contract/servers/test-call.ts';
import * as z from 'zod';

/** The arguments of each call; the panel reports missing ones. */
export const argumentsOf: Record<ServerCall, readonly ('username' | 'password' | 'expiry_date')[]> =
  {
    health: [],
    auth: [],
    add: ['username', 'password', 'expiry_date'],
    edit: ['username', 'password', 'expiry_date'],
    delete: ['username'],
  };

const argument = z.string().max(200, { error: 'TOO_LONG' });

export const testCallForm = z.object({
  server_id: z.string({ error: 'REQUIRED' }).min(1, { error: 'REQUIRED' }),
  call: z.enum(serverCalls),
  arguments: z.object({ username: argument, password: argument, expiry_date: argument }),
});
export type TestCallValues = z.output<typeof testCallForm>;

/** Omits fields that the chosen call does not use. */
export function bodyOf({ server_id, call, arguments: all }: TestCallValues) {
  const given = argumentsOf[call].flatMap((name) => (all[name] ? [[name, all[name]]] : []));
  return { server_id, call, arguments: Object.fromEntries(given) as Partial<typeof all> };
}

export interface MadeCall {
  outcome: Reply<typeof testCall>;
  serverId: string;
}
