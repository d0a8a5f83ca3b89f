import type { NewLine } from '@linekeeper/contract/lines.ts';
import { fail } from '../../core/refusal.ts';
import { defaultHostPort } from '../../core/servers.ts';
import type { ServerRow } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Changer } from './extend-line.ts';
import { countLiveTrials } from './store.ts';

/** What the seller said of a new line, with the spec's defaults, as it is stored. */
export function rowOfNewLine(
  line: Omit<NewLine, 'password'>,
  server: Pick<ServerRow, 'id' | 'host_ip' | 'port'>,
) {
  const { live_channel, info, user_value, name, company, role, avatar_url, email, notes } = line;
  return {
    username: line.username,
    protocol: line.protocol,
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

/**
 * The account's row is locked while its trials are counted: two at once cannot both be the last. Not
 * FOR UPDATE: every row that names the account holds its key, so two sales would wait for each other.
 */
export async function checkTrialLimit(
  tx: Tx,
  { actor, today }: Changer,
  limit: number,
): Promise<void> {
  if (actor.is_admin) return;
  await tx
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', actor.id)
    .forNoKeyUpdate()
    .execute();
  const count = await countLiveTrials(tx, actor.id, today());
  if (count > limit) fail('TRIAL_LIMIT_REACHED', { limit });
}
