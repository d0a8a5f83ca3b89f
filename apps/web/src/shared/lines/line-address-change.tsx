import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { serverChoicesQuery } from '../server-choices.ts';
import { AddressChange } from './address-change.tsx';

interface LineAddressChangeProps {
  line: Pick<Line, 'server_id' | 'host_port'>;
  /** The server that was chosen. */
  serverId: string | undefined;
}

/** What the customer of one line must change after a move; nothing is said where it does not move. */
export function LineAddressChange({ line, serverId }: LineAddressChangeProps) {
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const left = servers.find(({ id }) => id === line.server_id);
  const target = servers.find(({ id }) => id === serverId);
  if (!left || !target || left === target) return null;
  const isDefault = line.host_port.includes(left.host_port);
  const from = isDefault ? left.host_port : (line.host_port[0] ?? left.host_port);
  return <AddressChange from={from} to={isDefault ? target.host_port : from} count={1} />;
}
