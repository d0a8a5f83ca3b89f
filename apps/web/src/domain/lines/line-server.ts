import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Line, lineServer } from '@linekeeper/contract/lines/lines.ts';
import {
  type Address,
  type Receivers,
  receiversOf,
  splitHostPort,
} from '@linekeeper/contract/lines/receivers.ts';
import { signInName } from './state.ts';

/** A server of a line, as its customer needs it. */
export type LineServer = Reply<typeof lineServer>['servers'][number];

/** The server's address for customers; on the first server the line's own address, if it has one. */
export function addressOf(line: Line, server: LineServer | undefined): Address {
  const isFirst = server === undefined || server.id === line.server_id;
  return splitHostPort((isFirst ? line.host_port[0] : undefined) ?? server?.host_port ?? '');
}

function joined(texts: readonly (string | null)[], between: string): string | null {
  const given = texts.filter((text) => text !== null);
  return given.length > 0 ? given.join(between) : null;
}

/** The settings of a receiver for all of these servers, one after the other. The key is that of the first server. */
export function receiversOfLine(
  line: Line,
  servers: readonly LineServer[],
  password: string,
): Receivers {
  const login = { username: signInName(line), password };
  const each = servers.map((server) => receiversOf(server, addressOf(line, server), login));
  return {
    cccam: joined(
      each.map(({ cccam }) => cccam),
      '\n',
    ),
    newcamd: each.flatMap(({ newcamd }) => newcamd),
    des_key: each[0]?.des_key ?? '',
    oscam: {
      cccam: joined(
        each.map(({ oscam }) => oscam.cccam),
        '\n\n',
      ),
      newcamd: joined(
        each.map(({ oscam }) => oscam.newcamd),
        '\n\n',
      ),
    },
  };
}
