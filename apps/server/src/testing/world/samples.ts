import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { firstPrices } from '@linekeeper/contract/pricing.ts';
import { credentialsOf, type TestClient } from '../client.ts';
import { filePart, multipart } from '../files/files.ts';
import { browserKeys } from '../web-push/push-service.ts';
import { type RawReply, type RawRequest, sendRaw } from '../wire/raw.ts';
import type { Person, Targets } from './world.ts';

type Who = Pick<Person, 'email' | 'password'>;
type Sender = Who & { client?: Pick<TestClient, 'cookie' | 'apiKey'> };
type Body = Record<string, unknown>;
type MakeBody = (targets: Targets, who: Who) => Body;

const examplesFile = new URL('../../../../../packages/contract/examples.json', import.meta.url);
const examples: Record<string, { body?: Body }> = JSON.parse(readFileSync(examplesFile, 'utf8'));

const unique = (prefix: string) => `${prefix}-unique${randomUUID().slice(-12)}`;
/** The name of a line, short because CCcam servers accept 20 bytes. */
const uniqueName = () => `line-${randomUUID().slice(-12)}`;

/** Valid bodies of endpoints whose example names rows, may be sent only once or does more than it should. */
const bodies: Record<string, MakeBody> = {
  signUp: () => ({ email: `${unique('new')}@panel.example`, password: 'a long password' }),
  confirmEmail: () => ({ token: 'not a token' }),
  signIn: (_, { email, password }) => ({ email, password }),
  changePassword: (_, { password }) => ({ current_password: password, new_password: password }),
  changeEmail: (_, { email, password }) => ({ current_password: password, new_email: email }),
  twoFactorSignIn: () => ({ challenge: 'not a challenge', code: '123456' }),
  enableTwoFactor: (_, { password }) => ({ password }),
  disableTwoFactor: (_, { password }) => ({ password, code: '123456' }),
  newRecoveryCodes: (_, { password }) => ({ password }),
  editMe: () => ({ full_name: unique('Name') }),
  editSettings: () => ({ site_name: unique('Site') }),
  editPreferences: () => ({
    lists: { lines: { density: 'compact', views: [{ name: unique('View'), search: {} }] } },
  }),
  subscribeToPush: () => ({ endpoint: 'https://127.0.0.1/push', keys: browserKeys }),
  editSellerTexts: () => ({ handover: { en: unique('Text') } }),
  createLine: ({ server }) => ({
    username: uniqueName(),
    password: 'pw',
    subscription_months: 1,
    server_id: server,
  }),
  editLine: () => ({ notes: unique('note') }),
  renewLine: () => ({ subscription_months: 1 }),
  changePlan: ({ plan }) => ({ plan_id: plan }),
  suspendLine: () => ({ reason: unique('Reason') }),
  resumeLine: () => ({}),
  checkLineName: () => ({ username: uniqueName() }),
  quoteLine: ({ line }) => ({ action: 'renew', line_id: line, subscription_months: 1 }),
  bulkLines: ({ line }) => ({
    action: 'renew',
    ids: [line],
    subscription_months: 1,
    preview: true,
  }),
  createServer: () => ({
    server_name: unique('Server'),
    host_ip: '127.0.0.1',
    port: 12000,
    public_host: 'fra1.lines.example',
    api_port: 1,
    username: 'panel',
    password: 'pw',
  }),
  awaitServer: () => ({}),
  callAwaitedServer: () => ({ key: 'not a key', api_port: 3000, agent_version: '1.2.0' }),
  readyAwaitedServer: () => ({ key: 'not a key' }),
  addAwaitedServer: () => ({
    server_name: unique('Server'),
    public_host: 'fra1.lines.example',
    port: 12000,
  }),
  editServer: () => ({ server_name: unique('Server') }),
  testServerConfiguration: () => ({
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: 1,
    username: 'panel',
    password: 'pw',
  }),
  testCall: ({ server }) => ({ server_id: server, call: 'health' }),
  moveLines: ({ server }) => ({ to_server_id: server }),
  createAccount: () => ({ email: `${unique('below')}@panel.example`, password: 'a long password' }),
  requestPasswordReset: (_, { email }) => ({ email }),
  resetPassword: () => ({ token: 'not a token', new_password: 'a long password' }),
  editAccount: () => ({ full_name: unique('Name') }),
  banAccount: () => ({ suspend_lines: false }),
  unbanAccount: () => ({ resume_lines: false }),
  createGroup: () => ({ name: unique('Group'), permissions: [] }),
  editGroup: () => ({ description: unique('Group') }),
  addCredits: () => ({ amount: 1 }),
  takeBackCredits: () => ({ amount: 1 }),
  setCredits: () => ({ credits: 5, note: unique('Counted') }),
  createRedeemCodes: () => ({ credits: 1, description: unique('Label') }),
  editRedeemCode: () => ({ description: unique('Label') }),
  redeem: () => ({ code: unique('code') }),
  createActivationCodes: () => ({ months: 1, note: unique('Note') }),
  activate: () => ({ code: unique('code'), username: unique('line'), password: 'a-password' }),
  createApiKey: () => ({ name: unique('Key') }),
  createPlan: () => ({ name: unique('Plan'), terms: [{ months: 1, credits: 5 }] }),
  // The sample adds a term that is not on sale, so that no other price changes.
  editPlan: () => ({
    terms: [
      ...firstPrices.map(({ months, cost }) => ({ months, credits: cost })),
      { months: 36, credits: 1 + Math.floor(Math.random() * 1000), is_offered: false },
    ],
  }),
  createPriceList: () => ({ name: unique('List'), factor: 1.2 }),
  editPriceList: () => ({ name: unique('List') }),
  createPackage: () => ({
    name: unique('Package'),
    credits: 50,
    price_minor: 5000,
    currency: 'EUR',
  }),
  editPackage: () => ({ name: unique('Package') }),
  orderTopUp: ({ credit_package }) => ({ package_id: credit_package, note: unique('Note') }),
  createTicket: () => ({ title: unique('Ticket'), description: unique('Text') }),
  editTicket: () => ({ status: 'closed' }),
  createTicketReply: () => ({ content: unique('Reply') }),
  createCannedReply: () => ({ title: unique('Canned'), content: unique('Text') }),
  editCannedReply: () => ({ content: unique('Text') }),
  approveTopUp: () => ({ also_closed: true }),
  createArticle: () => ({
    title: unique('Article'),
    body: 'Some **text**',
    category: 'lines',
    locale: 'en',
  }),
  editArticle: () => ({ title: unique('Article') }),
  sendContact: (_, { email }) => ({
    name: unique('Sender'),
    email,
    subject: unique('Subject'),
    message: unique('Message'),
  }),
  editContact: () => ({ closed: true }),
};

/** Endpoints whose valid sample gets another status than usual. */
const otherStatuses: Record<string, number> = {
  confirmEmail: 422,
  // The panels of these tests send no mail.
  requestPasswordReset: 409,
  resetPassword: 422,
  // The sample has the present address, because the other calls need it.
  changeEmail: 422,
  // The samples have no real challenge or code, and two-factor sign-in is off.
  twoFactorSignIn: 401,
  keepSecondStep: 401,
  getSecondStep: 401,
  verifyTwoFactor: 422,
  disableTwoFactor: 409,
  disableAccountTwoFactor: 409,
  newRecoveryCodes: 409,
  cancelJob: 409,
  undoJob: 409,
  // Nothing was paid for the line.
  undoLine: 409,
  // The sample moves lines to their own server.
  moveLines: 422,
  // The sample's code does not exist.
  redeem: 409,
  activate: 409,
  // The sample's key does not exist, and no agent has called.
  callAwaitedServer: 409,
  readyAwaitedServer: 409,
  testAwaitedServer: 409,
  confirmAwaitedServer: 409,
  // No date of the server waits for a confirmation.
  confirmServerDay: 409,
  // The sample's orphan does not exist.
  adoptOrphans: 409,
  removeOrphans: 409,
  // Card payments are not set up, and no top-up is flagged.
  checkOutTopUp: 409,
  resolveTopUp: 409,
};

export function successStatus(endpoint: Endpoint): number {
  return otherStatuses[endpoint.name] ?? endpoint.status ?? 200;
}

const resources = {
  lines: 'line',
  accounts: 'account',
  groups: 'group',
  servers: 'server',
  credits: 'transfer',
  jobs: 'job',
  'redeem-codes': 'redeem_code',
  'activation-codes': 'activation_code',
  book: 'book_entry',
  sessions: 'session',
  'api-keys': 'api_key',
  webhooks: 'webhook',
  packages: 'credit_package',
  plans: 'plan',
  'price-lists': 'price_list',
  topups: 'top_up',
  contact: 'contact',
  articles: 'article',
  messages: 'message',
  notifications: 'notification',
  tickets: 'ticket',
  attachments: 'attachment',
  'canned-replies': 'canned_reply',
} as const;

/** The kind of row that an id in the endpoint's path or body names; null if none. */
export function resourceOf({ name, path }: Endpoint): keyof Targets | null {
  if (name === 'quoteLine') return 'line';
  if (!path.includes('{')) return null;
  if (path.startsWith('/api/servers/awaited/')) return 'awaited';
  const first = path.replace('/auth', '').split('/')[2] as keyof typeof resources;
  const resource = resources[first];
  if (!resource) throw new Error(`Say in testing/samples.ts what the id in ${path} names`);
  return resource;
}

/** The body of a valid request; undefined if the endpoint takes none. */
export function sampleBody(endpoint: Endpoint, targets: Targets, who: Who): Body | undefined {
  if (!endpoint.body) return undefined;
  const make = bodies[endpoint.name];
  if (make) return make(targets, who);
  const body = examples[endpoint.name]?.body;
  if (!body) throw new Error(`Record an example of ${endpoint.name} in testing/examples`);
  return body;
}

export function samplePath(endpoint: Endpoint, targets: Targets): string {
  const resource = resourceOf(endpoint);
  return resource ? endpoint.path.replace(/{\w+}/g, targets[resource]) : endpoint.path;
}

/** A valid request with a unique Idempotency-Key. */
export function sample(endpoint: Endpoint, targets: Targets, who: Sender): RawRequest {
  if (endpoint.takesFile) return sampleUpload(endpoint, who);
  const body = sampleBody(endpoint, targets, who);
  return {
    method: endpoint.method,
    path: samplePath(endpoint, targets),
    headers: {
      'idempotency-key': randomUUID(),
      ...(who.client ? credentialsOf(who.client) : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  };
}

function sampleUpload({ method, path }: Endpoint, { client }: Sender): RawRequest {
  const { type, body } = multipart([filePart(unique('Text'), 'sample.txt')]);
  const headers = { ...(client ? credentialsOf(client) : {}), 'content-type': type };
  return { method, path, headers, body };
}

export function sendSample(
  url: string,
  endpoint: Endpoint,
  targets: Targets,
  who: Sender,
): Promise<RawReply> {
  return sendRaw(url, sample(endpoint, targets, who));
}
