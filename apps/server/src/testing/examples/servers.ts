import { appendFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { version } from '../../platform/config/version.ts';
import { basicAuth } from '../../platform/http-client/request.ts';
import { eventually } from '../eventually.ts';
import type { Example, Recorder } from './recorder.ts';
import { LOGIN, only, type Shop, two } from './shop.ts';

export async function openServers(
  { panel: { admin }, frankfurt, warsaw }: Shop,
  recorder: Recorder,
) {
  const bank_details = 'Account holder: Whitfield Lines Ltd\nIBAN: DE02 1203 0000 0000 2020 51';
  await recorder.call(admin, 'editMe', { body: { full_name: 'Tom Whitfield', username: 'tom' } });
  await recorder.call(admin, 'editSettings', {
    body: { site_name: 'Whitfield Lines', bank_details, trial_days: 2, sign_up_open: true },
  });
  await recorder.call(admin, 'getSettings');
  const configuration = (url: string) => ({
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: Number(new URL(url).port),
    ...LOGIN,
  });
  await recorder.call(admin, 'testServerConfiguration', { body: configuration(frankfurt.url) });
  const add = async (server_name: string, url: string, public_host: string) => {
    const body = { server_name, public_host, ...configuration(url) };
    const { server } = await recorder.call(admin, 'createServer', { body });
    await recorder.call(admin, 'testServer', only(server.id));
    return server.id as string;
  };
  return {
    warsaw: await add('Warsaw 1', warsaw.url, 'waw1.panel.example'),
    frankfurt: await add('Frankfurt 1', frankfurt.url, 'fra1.panel.example'),
  };
}

export type Servers = Awaited<ReturnType<typeof openServers>>;

/** Adds a server whose agent calls the panel. Returns the texts that replace its key and password in the examples. */
export async function awaitAgent(
  { panel }: Shop,
  recorder: Recorder,
): Promise<Map<string, string>> {
  const { admin } = panel;
  const { awaited, command } = await recorder.call(admin, 'awaitServer', { body: {} });
  const key = /KEY=(\S+)/.exec(command)?.[1] ?? '';
  const body = { key, api_port: 3000, protocol: 'CCcam', port: 12000, agent_version: version };
  const card = panel.anonymous();
  const { password, host } = await recorder.call(card, 'callAwaitedServer', { body });
  await recorder.call(card, 'readyAwaitedServer', { body: { key } });
  await recorder.call(admin, 'testAwaitedServer', only(awaited.id));
  await recorder.call(admin, 'getAwaitedServer', only(awaited.id));
  await recorder.call(admin, 'confirmAwaitedServer', { ...only(awaited.id), body: { host } });
  const { server } = await recorder.call(admin, 'addAwaitedServer', {
    ...only(awaited.id),
    body: { server_name: 'Warsaw 2', public_host: 'waw2.panel.example', port: 12000 },
  });
  await admin.send('DELETE', `/api/servers/${server.id}`);
  return new Map([
    [key, 'XXXX-XXXX-XXXX-XXXX-XXXX'],
    [password, 'XxxxX77xxXXxxx7xXXxxX7xxXXxx7xXx'],
  ]);
}

/** Waits until all pushes are delivered, because the next calls count pushes, or would overtake them. */
export async function allDelivered({ admin }: Shop['panel']): Promise<void> {
  await eventually(async () => {
    const { items } = (await admin.get('/api/sync')).body;
    if (items.length > 0) throw new Error(`${items.length} changes are not delivered`);
  });
}

export async function lookAtServers(
  { panel, frankfurt, file }: Shop,
  recorder: Recorder,
  { frankfurt: id }: Servers,
): Promise<void> {
  const { admin } = panel;
  const call = (name: string, sent?: Example) => recorder.call(admin, name, sent);
  await call('listServers', two);
  await call('getServer', only(id));
  await call('editServer', { ...only(id), body: { max_lines: 500, repair_automatically: true } });
  await call('checkServers');
  await call('reloadServer', only(id));
  const readers = [1, 1, 2].map((group) => `[reader]\ngroup = ${group}\n`);
  await writeFile(join(dirname(file), 'oscam.server'), readers.join(''));
  await writeFile(join(dirname(file), 'oscam.services'), '[news]\n[sport]\n');
  await call('rightsChoices', only(id));
  // The finding is as after a jump of the agent's clock.
  const held = JSON.stringify({ code: 'DAY_HELD', data: {} });
  await sql`update cccam_servers set day_finding = ${held}::jsonb where id = ${id}`.execute(
    panel.services.db,
  );
  await call('confirmServerDay', { ...only(id), body: { day: panel.services.today() } });
  await call('testCall', { body: { server_id: id, call: 'health' } });
  await call('serverCustomers', { ...only(id), query: { host: 'fra2.panel.example' } });
  await call('serverCustomersCsv', { ...only(id), query: { host: 'fra2.panel.example' } });
  await call('listServerChecks', { ...only(id), query: { hours: '24' } });
  await call('serverSessions', only(id));
  await call('serverHealth', { ...only(id), query: { range: '24h' } });
  await call('serversHealth');
  // The operator has written these rows into the card server's file.
  await appendFile(file, 'F: kiosk-south kiosk-south-4711 1 0 0\n');
  const kiosk = { username: 'kiosk-south', password: 'kiosk-south-4711' };
  await admin.post('/api/lines', { ...kiosk, subscription_months: 1, server_id: id });
  await call('listPushes', two);
  await call('takeOverRows', only(id));
  await call('retryPushes', { body: { all: true } });
  const meddle = (method: string, path: string, body: object) =>
    fetch(frankfurt.url + path, {
      method,
      headers: { authorization: basicAuth(LOGIN), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const username of ['kino-bajka', 'bar-molo']) {
    const left = {
      username,
      password: `${username}-4711`,
      expiryDate: formatDay(addMonths(panel.services.today(), 24)),
    };
    await meddle('POST', '/add-user', left);
  }
  await sql`update orphan_looks set next_look_at = now()`.execute(panel.services.db);
  await call('lookForOrphans');
  const { items } = await call('listOrphans', two);
  await call('adoptOrphans', { body: { ids: [items[0].id] } });
  await call('removeOrphans', { body: { ids: [items[1].id] } });
  await allDelivered(panel);
  await meddle('DELETE', '/delete-user', { username: 'kiosk-south' });
  await call('compareServer', only(id));
  await call('mendServer', { ...only(id), body: { remove_unknown: false } });
  await allDelivered(panel);
  const { db } = panel.services;
  await sql`update cccam_servers set status = 'error' where id = ${id}`.execute(db);
  await call('listOutages');
  await sql`update cccam_servers set status = 'active' where id = ${id}`.execute(db);
}
