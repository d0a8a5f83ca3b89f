import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Line, lineServer } from '@linekeeper/contract/lines/lines.ts';
import {
  type Address,
  type Receivers,
  receiversOf,
  splitHostPort,
} from '@linekeeper/contract/lines/receivers.ts';
import { signInName } from './state.ts';

export type LineServer = Reply<typeof lineServer>;

/** The line's own address, else its server's for customers. */
export function addressOf(line: Line, server: LineServer | undefined): Address {
  return splitHostPort(line.host_port[0] ?? server?.host_port ?? '');
}

export function receiversOfLine(line: Line, server: LineServer, password: string): Receivers {
  return receiversOf(server, addressOf(line, server), { username: signInName(line), password });
}
