import { Api } from '../../e2e/support/api.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';

/** All people who can sign in to the demo. */
export const people = {
  admin: {
    email: 'admin@demo.example',
    password: 'demo-admin-1',
    full_name: 'Tom Whitfield',
    language: 'en',
    what: 'Administrator',
  },
  german: {
    email: 'kaethe@demo.example',
    password: 'demo-kaethe-1',
    full_name: 'Käthe Weiß',
    language: 'de',
    what: 'Reseller, in German',
  },
  polish: {
    email: 'grazyna@demo.example',
    password: 'demo-grazyna-1',
    full_name: 'Grażyna Szczęsna',
    language: 'pl',
    what: 'Reseller, in Polish',
  },
  portuguese: {
    email: 'rui@demo.example',
    password: 'demo-rui-1',
    full_name: 'Rui Carvalho',
    language: 'pt',
    what: 'Reseller, in Portuguese',
  },
  user: {
    email: 'anna@demo.example',
    password: 'demo-anna-1',
    full_name: 'Anna Hill',
    language: 'en',
    what: 'User without lines',
  },
} as const;

/** The sign-in of the panel at both agents. */
export const agentLogin = { username: 'panel', password: 'demo-agent-1' };

type Person = Exclude<keyof typeof people, 'admin' | 'user'>;

/** Usernames of each reseller's lines; their index decides when the lines expire. */
const lines: Record<Person, string> = {
  german: 'anna.berg b.schuster cafe-nord d.lorenz familie.ott h.grossmann k.thiel praxis-vogel',
  polish:
    'adam.nowak bar-molo e.wrona hotel-lwow j.kowalska kino-bajka m.zielony salon-ania t.mazur',
  portuguese: 'ana.porto b.moreira cafe-lisboa d.sousa j.pinto quinta-sol r.teles',
};
const daysLeft = [210, 3, 92, 0, 31, 365, 14, -4, 61];

const credits: Record<Person, number> = { german: 240, polish: 85, portuguese: 6 };

const tickets: Record<
  Person,
  { title: string; description: string; category: string; answer?: string }
> = {
  german: {
    title: 'Zwei Linien nach Warschau verschieben',
    description: 'Zwei meiner Kunden haben abends kurze Aussetzer: **cafe-nord** und **k.thiel**.',
    category: 'technical',
    answer: 'Beide sind verschoben. Das Passwort bleibt, nur der Servername ändert sich.',
  },
  polish: {
    title: 'Faktura za ostatnie doładowanie',
    description: 'Proszę o fakturę na adres salonu w Gdańsku.',
    category: 'billing',
  },
  portuguese: {
    title: 'A linha cafe-lisboa não abre canais',
    description: 'Desde ontem à noite. O recetor liga-se, mas a imagem não aparece.',
    category: 'technical',
  },
};

/** Fills an empty panel through its API, as its people would; lines on Frankfurt 1 log in at `loginPort`. */
export async function furnish(
  url: string,
  agents: { frankfurt: string; warsaw: string },
  loginPort: number,
): Promise<void> {
  const admin = await new Api(url).signIn(people.admin);
  await admin.patch('/api/me', { full_name: people.admin.full_name });
  const warsaw = await addServer(admin, 'Warsaw 1', agents.warsaw, {
    protocol: 'NewCamd',
    port: 15_000,
    newcamd_ports: [{ port: 15_001, caid: '0500', provid: '030B00' }],
    public_host: 'waw1.lines.example',
  });
  // The newest server is the one that the form of a new line proposes, and its lines can log in.
  const frankfurt = await addServer(admin, 'Frankfurt 1', agents.frankfurt, {
    protocol: 'CCcam',
    port: loginPort,
    public_host: '127.0.0.1',
  });
  for (const [count, price_minor] of [
    [50, 5000],
    [100, 9500],
    [250, 22_500],
  ] as const) {
    const offer = { name: `${count} credits`, credits: count, price_minor, currency: 'EUR' };
    await admin.post('/api/packages', offer);
  }
  await admin.patch('/api/settings', {
    bank_details: 'Account holder: Linekeeper Demo\nIBAN: DE02 1203 0000 0000 2020 51',
  });
  await Promise.all(
    (Object.keys(lines) as Person[]).map((person) =>
      furnishReseller(url, admin, person, person === 'german' ? frankfurt : warsaw),
    ),
  );
  const { email, password, full_name } = people.user;
  await admin.post('/api/accounts', { email, password, full_name, group_id: '3' });
  await admin.post('/api/redeem-codes', {
    credits: 10,
    count: 5,
    description: 'Spring campaign',
  });
  await admin.post('/api/messages', {
    is_global: true,
    title: 'Warsaw 1 is serviced on Sunday',
    content: 'From 4:00 to 5:00 its lines may be interrupted. Nothing needs to be changed.',
  });
}

/** `reached` is the protocol and the address of its customers. */
async function addServer(admin: Api, server_name: string, agent: string, reached: object) {
  const { server } = await admin.post('/api/servers', {
    server_name,
    host_ip: '127.0.0.1',
    api_port: Number(new URL(agent).port),
    ...reached,
    ...agentLogin,
  });
  await admin.post(`/api/servers/${server.id}/test`);
  return server.id as string;
}

async function furnishReseller(
  url: string,
  admin: Api,
  person: Person,
  server_id: string,
): Promise<void> {
  const { email, password, full_name, language } = people[person];
  const made = { email, password, full_name, group_id: '2', credits: credits[person] + 20 };
  const { account } = await admin.post('/api/accounts', made);
  const reseller = await new Api(url).signIn(people[person]);
  await reseller.patch('/api/me/settings', { language });
  const day = today('UTC');
  const usernames = lines[person].split(' ');
  for (const [index, username] of usernames.entries()) {
    const expiry_date = formatDay(addDays(day, daysLeft[index % daysLeft.length] ?? 30));
    const line = {
      username,
      password: `tulip-${username}`,
      expiry_date,
      server_id,
      owner_id: account.id,
    };
    const { line: added } = await admin.post('/api/lines', line);
    if (index === 4) await admin.post(`/api/lines/${added.id}/suspend`, { reason: 'Not paid' });
  }
  // The reseller gets its own sale and renewal, and a pending order.
  const first = `${usernames[0]}-2`;
  const sale = { username: first, password: 'tulip-harbor', subscription_months: 12, server_id };
  const { line } = await reseller.post('/api/lines', sale);
  await reseller.post(`/api/lines/${line.id}/renew`, { subscription_months: 12 });
  const { answer, ...opened } = tickets[person];
  const { ticket } = await reseller.post('/api/tickets', opened);
  if (answer) await admin.post(`/api/tickets/${ticket.id}/replies`, { content: answer });
}
