import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import type { ServerRow } from '../../../db/schema/schema.ts';
import { defaultHostPort, lineProtocol, type Reached } from '../../../domain/machines/servers.ts';

/** The columns of a new line, with defaults for omitted fields. */
export function rowOfNewLine(
  line: Omit<NewLine, 'password'>,
  server: Reached & Pick<ServerRow, 'id'>,
) {
  const { live_channel, info, user_value, name, company, role, avatar_url, email, notes } = line;
  return {
    username: line.username,
    protocol: line.protocol ?? lineProtocol(server),
    host_port: line.host_port ?? [defaultHostPort(server)],
    status: JSON.stringify(line.status ?? [{ label: 'active', color: 'success' }]),
    server_id: server.id,
    is_trial: line.is_trial,
    subscription_months: line.subscription_months ?? null,
    live_channel: live_channel || 'Info',
    info: info || 'Info',
    user_value: user_value || null,
    name: name || null,
    company: company || null,
    role: role || null,
    avatar_url: avatar_url || null,
    email: email || null,
    notes: notes || null,
  };
}
