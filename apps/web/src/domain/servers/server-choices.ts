import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { enteredLines } from '@linekeeper/contract/lines/receivers.ts';
import { serverChoices } from '@linekeeper/contract/servers/choices.ts';
import { useTranslation } from 'react-i18next';
import { callQuery } from '#platform/api/call-query.ts';
import { isolate } from '#platform/i18n/isolate.ts';

export type ServerChoice = Reply<typeof serverChoices>[number];

/** True if new lines can be sold on the server: it is active, and neither closed nor full. */
export function takesLines({ status, takes_no_lines }: ServerChoice): boolean {
  return status === 'active' && takes_no_lines === null;
}

/** The C and N lines of customers whose line has these addresses; by default the server's own address. */
export function enteredAt(server: ServerChoice, addresses: readonly string[] = []): string[] {
  const own = server.host_port ? [server.host_port] : [];
  return enteredLines(server, addresses.length > 0 ? addresses : own);
}

/** The query of the servers that can be chosen for a line, newest first. */
export const serverChoicesQuery = () => callQuery('servers', serverChoices);

/** Returns a function that joins names of servers as in a sentence: 'Frankfurt 1 and Warsaw 2'. */
export function useJoined(): (servers: readonly { server_name: string }[]) => string {
  const { i18n } = useTranslation();
  return (servers) =>
    new Intl.ListFormat(i18n.language).format(
      servers.map(({ server_name }) => isolate(server_name)),
    );
}
