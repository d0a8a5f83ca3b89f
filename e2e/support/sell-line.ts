import type { Api } from './api.ts';
import { unique } from './unique.ts';

/** Sells a line for a month. Its username begins with `name`. */
export async function sellLine(
  seller: Api,
  name: string,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; username: string }> {
  const username = `${name}-${unique()}`;
  const line = { username, password: 'tulip-harbor-92-kite', subscription_months: 1, ...fields };
  const sold = await seller.post('/api/lines', line);
  return { id: sold.line.id, username };
}
