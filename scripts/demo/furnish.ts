import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { agentLogin, people } from './people.ts';

type Person = Exclude<keyof typeof people, 'admin' | 'user'>;

/** A signed-in account that calls the panel's API. */
class Caller {
  readonly #url: string;
  #cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<this> {
    const response = await this.#send('POST', '/api/auth/sign-in/email', { email, password });
    this.#cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return this;
  }

  /** Returns the reply, whose shape the caller knows from the contract. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of a dozen calls, of which only ids are read
  async call(method: string, path: string, body: unknown = {}): Promise<any> {
    return (await this.#send(method, path, body)).json();
  }

  async #send(method: string, path: string, body: unknown): Promise<Response> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
        ...(this.#cookie ? { cookie: this.#cookie } : {}),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response;
  }
}

/** Usernames of each reseller's lines; their index decides when they expire. */
const lines: Record<Person, string[]> = {
  german: [
    'anna.berg',
    'b.schuster',
    'cafe-nord',
    'd.lorenz',
    'familie.ott',
    'h.grossmann',
    'k.thiel',
    'praxis-vogel',
  ],
  polish: [
    'adam.nowak',
    'bar-molo',
    'e.wrona',
    'hotel-lwow',
    'j.kowalska',
    'kino-bajka',
    'm.zielony',
    'salon-ania',
    't.mazur',
  ],
  portuguese: [
    'ana.porto',
    'b.moreira',
    'cafe-lisboa',
    'd.sousa',
    'j.pinto',
    'quinta-sol',
    'r.teles',
  ],
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
    description: 'Desde ontem à noite. O recetor liga, mas a imagem não aparece.',
    category: 'technical',
  },
};

/** Fills an empty panel through its API, as its people would. */
export async function furnish(
  url: string,
  agents: { frankfurt: string; warsaw: string },
): Promise<void> {
  const admin = await new Caller(url).signIn(people.admin);
  await admin.call('PATCH', '/api/me', { full_name: people.admin.full_name });
  const frankfurt = await addServer(admin, 'Frankfurt 1', 'fra1', agents.frankfurt, 'CCcam');
  const warsaw = await addServer(admin, 'Warsaw 1', 'waw1', agents.warsaw, 'NewCamd');
  for (const [count, price_minor] of [
    [50, 5000],
    [100, 9500],
    [250, 22_500],
  ] as const) {
    const offer = { name: `${count} credits`, credits: count, price_minor, currency: 'EUR' };
    await admin.call('POST', '/api/packages', offer);
  }
  await admin.call('PATCH', '/api/settings', {
    bank_details: 'Account holder: Linekeeper Demo\nIBAN: DE02 1203 0000 0000 2020 51',
  });
  await Promise.all(
    (Object.keys(lines) as Person[]).map((person) =>
      furnishReseller(url, admin, person, person === 'german' ? frankfurt : warsaw),
    ),
  );
  const { email, password, full_name } = people.user;
  await admin.call('POST', '/api/accounts', { email, password, full_name, group_id: '3' });
  await admin.call('POST', '/api/redeem-codes', {
    credits: 10,
    count: 5,
    description: 'Spring campaign',
  });
  await admin.call('POST', '/api/messages', {
    is_global: true,
    title: 'Warsaw 1 is serviced on Sunday',
    content: 'From 4:00 to 5:00 its lines may be interrupted. Nothing needs to be changed.',
  });
}

async function addServer(
  admin: Caller,
  server_name: string,
  host: string,
  agent: string,
  protocol: string,
) {
  const { server } = await admin.call('POST', '/api/servers', {
    server_name,
    protocol,
    host_ip: '127.0.0.1',
    port: protocol === 'CCcam' ? 12_000 : 15_000,
    api_port: Number(new URL(agent).port),
    public_host: `${host}.lines.example`,
    ...agentLogin,
  });
  await admin.call('POST', `/api/servers/${server.id}/test`);
  return server.id as string;
}

async function furnishReseller(
  url: string,
  admin: Caller,
  person: Person,
  server_id: string,
): Promise<void> {
  const { email, password, full_name, language } = people[person];
  const made = { email, password, full_name, group_id: '2', credits: credits[person] + 20 };
  const { account } = await admin.call('POST', '/api/accounts', made);
  const reseller = await new Caller(url).signIn(people[person]);
  await reseller.call('PATCH', '/api/me/settings', { language });
  const day = today('UTC');
  for (const [index, username] of lines[person].entries()) {
    const expiry_date = formatDay(addDays(day, daysLeft[index % daysLeft.length] ?? 30));
    const line = {
      username,
      password: `tulip-${username}`,
      expiry_date,
      server_id,
      owner_id: account.id,
    };
    const { line: added } = await admin.call('POST', '/api/lines', line);
    if (index === 4)
      await admin.call('POST', `/api/lines/${added.id}/suspend`, { reason: 'Not paid' });
  }
  // A sale and a renewal of the reseller's own, and an order that waits.
  const first = `${lines[person][0]}-2`;
  const sale = { username: first, password: 'tulip-harbor', subscription_months: 12, server_id };
  const { line } = await reseller.call('POST', '/api/lines', sale);
  await reseller.call('POST', `/api/lines/${line.id}/renew`, { subscription_months: 12 });
  const { answer, ...opened } = tickets[person];
  const { ticket } = await reseller.call('POST', '/api/tickets', opened);
  if (answer) await admin.call('POST', `/api/tickets/${ticket.id}/replies`, { content: answer });
}
