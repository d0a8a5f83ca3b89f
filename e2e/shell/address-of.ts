import type { APIRequestContext } from '@playwright/test';
import { panelUrl } from '../support/panel.ts';

const lists: Record<string, string> = {
  users: '/api/lines?limit=1&sort=username&q=h.grossmann',
  'cccam-servers': '/api/servers?limit=1',
  'manage-groups': '/api/groups?limit=1',
  accounts: '/api/accounts?limit=1&q=grazyna@szczesna.example',
  support: '/api/articles?limit=1&locale=en&q=how%20credits%20work',
  tickets: '/api/tickets?limit=1&q=Move%20two%20lines',
};

/**
 * Fills in the id of a line, account, server, group, article or ticket that the signed-in account
 * may see, if the path needs one.
 */
export async function addressOf(request: APIRequestContext, path: string): Promise<string> {
  if (!path.includes('$id')) return path;
  const [, section = ''] = path.split('/');
  const list = lists[section] ?? '';
  const { items } = await (await request.get(panelUrl + list)).json();
  return path.replace('$id', items[0].id);
}
