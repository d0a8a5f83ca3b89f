import { type APIRequestContext, expect } from '@playwright/test';
import { panelUrl } from '../support/panel.ts';
import { unique } from '../support/unique.ts';

const lists: Record<string, string> = {
  users: '/api/lines?limit=1&sort=username&q=h.grossmann',
  'cccam-servers': '/api/servers?limit=1',
  'manage-groups': '/api/groups?limit=1',
  accounts: '/api/accounts?limit=1&q=grazyna@szczesna.example',
  support: '/api/articles?limit=1&locale=en&q=how%20credits%20work',
  payments: '/api/plans',
  tickets: '/api/tickets?limit=1&q=Move%20two%20lines',
};

/**
 * Fills in the id of a line, account, server, group, plan, article or ticket that the signed-in account
 * may see, if the path needs one.
 */
export async function addressOf(request: APIRequestContext, path: string): Promise<string> {
  if (!path.includes('$id')) return path;
  if (path.startsWith('/users/tell/')) return path.replace('$id', await jobWithCustomer(request));
  const [, section = ''] = path.split('/');
  const list = lists[section] ?? '';
  const { items } = await (await request.get(panelUrl + list)).json();
  return path.replace('$id', items[0].id);
}

/** Id of a job that moved a line to a server with another address. */
async function jobWithCustomer(request: APIRequestContext): Promise<string> {
  const send = async (path: string, data: object) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    return (await request.post(panelUrl + path, { data, headers })).json();
  };
  const servers = await (await request.get(`${panelUrl}/api/servers/choices`)).json();
  const idOf = (name: string) =>
    servers.find(({ server_name }: { server_name: string }) => server_name === name).id;
  const { line } = await send('/api/lines', {
    username: `tell-${unique()}`,
    password: 'tulip-harbor-92',
    expiry_date: '01-01-2099',
    server_id: idOf('Frankfurt 1'),
  });
  const move = { action: 'move', ids: [line.id], server_id: idOf('Warsaw 2') };
  const { job } = await send('/api/lines/bulk', move);
  const read = async () => (await request.get(`${panelUrl}/api/jobs/${job.id}?items=none`)).json();
  await expect.poll(async () => (await read()).state).toBe('done');
  return job.id;
}
