import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { serverChoicesQuery } from '../server-choices.ts';
import { AddressChange } from './address-change.tsx';

interface LineAddressChangeProps {
  line: Pick<Line, 'server_id' | 'host_port' | 'protocol'>;
  /** The server that was chosen. */
  serverId: string | undefined;
}

/** What the customer of one line must change after a move; nothing is said where it does not move. */
export function LineAddressChange({ line, serverId }: LineAddressChangeProps) {
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const addressOf = (wanted: string | undefined) =>
    servers.find(({ id }) => id === wanted)?.host_port;
  const [left, target] = [addressOf(line.server_id), addressOf(serverId)];
  if (!left || !target || serverId === line.server_id) return null;
  const isDefault = line.host_port.includes(left);
  const from = isDefault ? left : (line.host_port[0] ?? left);
  return (
    <AddressChange from={from} to={isDefault ? target : from} count={1} protocol={line.protocol} />
  );
}
