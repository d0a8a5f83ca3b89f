import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { AddressChange } from '#domain/lines/address-change.tsx';
import { enteredAt, serverChoicesQuery } from '#domain/servers/server-choices.ts';

interface LineAddressChangeProps {
  line: Pick<Line, 'server_id' | 'host_port'>;
  serverId: string | undefined;
}

/**
 * The receiver settings that the customer must change if the line moves to the chosen server. Renders nothing if it
 * does not move.
 */
export function LineAddressChange({ line, serverId }: LineAddressChangeProps) {
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const find = (wanted: string | undefined) => servers.find(({ id }) => id === wanted);
  const [left, target] = [find(line.server_id), find(serverId)];
  if (!left?.host_port || !target?.host_port || serverId === line.server_id) return null;
  const moved = line.host_port.map((address) =>
    address === left.host_port ? (target.host_port ?? address) : address,
  );
  return (
    <AddressChange from={enteredAt(left, line.host_port)} to={enteredAt(target, moved)} count={1} />
  );
}
