import { Api } from './e2e/support/api.ts';
import { accounts } from './e2e/support/people.ts';
const url = 'http://127.0.0.1:28640';
const admin = await new Api(url).signIn(accounts.admin);
const servers = await admin.get('/api/servers/choices');
console.log(servers.map((s: any) => [s.id, s.server_name, s.status, s.takes_no_lines, s.protocol]));
const id = (name: string) => servers.find((s: any) => s.server_name === name).id;
if (process.argv[2]) {
  const [on, away] = process.argv[2].split(',').map((n) => id(n));
  await admin.post('/api/plans', { name: 'Full HD', position: 1, serves: 'one', terms: [{ months: 1, credits: 3 }, { months: 12, credits: 20 }] });
  await admin.post('/api/plans', { name: 'Sport', description: 'All sport channels, on two servers.', position: 2, serves: 'all', servers: [{ server_id: on }, { server_id: away }], terms: [{ months: 1, credits: 4 }, { months: 3, credits: 9 }, { months: 6, credits: 14 }, { months: 12, credits: 24 }, { months: 24, credits: 40 }] });
}
console.log((await admin.get('/api/plans')).items.map((p: any) => [p.name, p.serves, p.position]));
