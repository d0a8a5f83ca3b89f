import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { Api } from './api.ts';
import { accounts, agentCredentials } from './people.ts';
import { seedCredits } from './seed-credits.ts';
import { seedTickets } from './seed-tickets.ts';
import { isForPictures } from './seeded-panel.ts';

const names = [
  'h.grossmann',
  'szczesna-salon',
  'mueller.wohnung',
  'carvalho.porto',
  'kowalski77',
  'brzeczyszczyk',
  'whitfield-2',
  'weiss.kaethe',
  'annegret.mueller',
  'zolw.gdansk',
];
/** For pictures, names without a number that would make them unique. */
const moreNames = [
  'cafe-nord',
  'hotel-lwow',
  'praxis-vogel',
  'kino-bajka',
  'ana.porto',
  'bar-molo',
  'familie.ott',
  'j.kowalska',
  'quinta-sol',
  'k.thiel',
  'm.zielony',
  'd.sousa',
  'b.schuster',
  'salon-ania',
  'r.teles',
  'anna.berg',
  't.mazur',
  'cafe-lisboa',
  'd.lorenz',
  'e.wrona',
  'b.moreira',
  'adam.nowak',
  'j.pinto',
  'm.hartmann',
];
const daysToExpiry = [3, 365, 181, 14, 0, 730, 1, 27, 90, -9];
const LINES = 34;

function nameOf(index: number): string {
  if (isForPictures()) return [...names, ...moreNames][index] ?? '';
  const name = names[index % names.length] ?? '';
  return index < names.length ? name : `${name}-${index}`;
}

/** Creates accounts, servers in every state, lines of every kind, codes and transfers. */
export async function seed(panelUrl: string, agentUrl: string): Promise<void> {
  const admin = await new Api(panelUrl).signIn(accounts.admin);
  await admin.post('/api/accounts', { ...accounts.user, group_id: '3' });
  const { account: reseller } = await admin.post('/api/accounts', {
    ...accounts.reseller,
    group_id: '2',
    credits: 248,
  });
  const api_port = Number(new URL(agentUrl).port);
  const add = async (server_name: string, port: number, host: string, protocol = 'CCcam') => {
    const server = {
      server_name,
      host_ip: '127.0.0.1',
      port: 12000,
      public_host: `${host}.lines.example`,
      protocol,
      ...agentCredentials,
    };
    const reply = await admin.post('/api/servers', { ...server, api_port: port });
    return reply.server.id as string;
  };
  await add('Frankfurt 2', api_port, 'fra2', 'NewCamd');
  // Nothing listens on port 9, so this server fails its test.
  const leeds = await add('Leeds 1', 9, 'lds1');
  const warsaw = await add('Warsaw 2', api_port, 'waw2');
  const frankfurt = await add('Frankfurt 1', api_port, 'fra1');
  for (const id of [leeds, warsaw, frankfurt]) await admin.post(`/api/servers/${id}/test`);

  const day = today(ZONE);
  for (let index = 0; index < LINES; index++) {
    const { line } = await admin.post('/api/lines', {
      username: nameOf(index),
      password: `tulip-harbor-${index}`,
      expiry_date: formatDay(addDays(day, daysToExpiry[index % daysToExpiry.length] ?? 30)),
      server_id: index % 3 === 0 ? warsaw : frankfurt,
      owner_id: index % 2 === 0 ? reseller.id : undefined,
      name: index % 4 === 0 ? 'Jürgen Großmann' : undefined,
    });
    if (index % 7 === 6) await admin.post(`/api/lines/${line.id}/suspend`, { reason: 'Not paid' });
  }
  // Orders by transfer need bank details.
  await admin.patch('/api/settings', { bank_details: 'Lines Ltd' });
  const packages: string[] = [];
  for (const [credits, price_minor] of [
    [50, 5000],
    [100, 9500],
    [250, 22_500],
    [500, 42_500],
  ]) {
    const offer = { name: `Package ${credits}`, credits, price_minor, currency: 'EUR' };
    packages.push((await admin.post('/api/packages', offer)).package.id);
  }
  const seller = await new Api(panelUrl).signIn(accounts.reseller);
  // The top-up stays pending, because an approved one would change the balance that other tests expect.
  await seller.post('/api/topups', { package_id: packages[2], note: 'Przelew z 21-11' });
  const declined = await seller.post('/api/topups', { package_id: packages[3] });
  const reason = 'No transfer arrived in 14 days';
  await admin.post(`/api/topups/${declined.id}/reject`, { reason });
  await new Api(panelUrl).post('/api/contact', {
    name: accounts.reseller.full_name,
    email: accounts.reseller.email,
    subject: 'Faktura za doładowanie',
    message: 'Dzień dobry,\n\nproszę o fakturę za ostatnie doładowanie.',
  });
  await seller.post('/api/lines', {
    username: isForPictures() ? 'lena.vogt' : 'probe-0419',
    password: 'probe-pw',
    is_trial: true,
  });
  const user = await new Api(panelUrl).signIn(accounts.user);
  await seedTickets(admin, seller, user);
  await seedCredits(admin, (account) => new Api(panelUrl).signIn(account));
}
