import { type SeenCall, startApi } from '../../domain/machines/card-server/testing/servers.ts';

/** A card server that keeps its accounts in memory and can lose them. */
export interface MemoryCardServer {
  url: string;
  calls: SeenCall[];
  accounts: Map<string, { password: string; expiryDate: string; rights?: WrittenRights }>;
  /** The id of the server's folder of accounts; undefined if it reports none. */
  instance: string | undefined;
  /** False if GET /users does not exist. */
  offersList: boolean;
  /** Further fields of GET /. */
  tells: { zone?: string; day?: string; reload?: object };
  /** The field `applied` of the replies to changes and to POST /reload; undefined to leave it out. */
  applied: boolean | undefined;
  /** Names for which the operator has a row, each with the name of the row's file. */
  keptByHand: Map<string, string>;
  /** The reply to every call; null for the usual replies. */
  answersWith: { status: number; json?: object } | null;
  /** Awaited before the reply to a change. */
  beforeChange: () => Promise<void>;
  /** Runs between reading the accounts and sending the list. */
  onList: () => Promise<void>;
  /** Awaited before the reply to a test of the connection. */
  beforeStatus: () => Promise<void>;
  /** Replaces the folder of accounts by an empty one. */
  replaceFolder(instance: string): void;
}

export async function startMemoryCardServer(instance?: string): Promise<MemoryCardServer> {
  const server: MemoryCardServer = {
    url: '',
    calls: [],
    accounts: new Map(),
    instance,
    offersList: true,
    tells: {},
    applied: undefined,
    keptByHand: new Map(),
    answersWith: null,
    beforeChange: async () => {},
    onList: async () => {},
    beforeStatus: async () => {},
    replaceFolder: (next) => {
      server.instance = next;
      server.accounts.clear();
    },
  };
  const api = await startApi(async (call) => {
    if (!server.answersWith && call.method !== 'GET') await server.beforeChange();
    if (server.answersWith) return server.answersWith;
    return answer(server, call);
  });
  server.url = `http://127.0.0.1:${api.port}`;
  server.calls = api.calls;
  return server;
}

type WrittenRights = Record<string, string | null>;

type Change = Record<
  'username' | 'password' | 'expiryDate' | 'newPassword' | 'newExpiryDate',
  string
> & { rights?: { oscam?: WrittenRights } };

/** The settings of an account after a change, in which null removes a setting. */
const withRights = (before: WrittenRights = {}, { rights }: Change): WrittenRights =>
  Object.fromEntries(
    Object.entries({ ...before, ...rights?.oscam }).filter(([, value]) => value !== null),
  );

const keptByHandReply = (file: string) => ({
  message: `"${file}" still has a row written by hand for this username. Take it over in the panel, or remove it from the file.`,
  code: 'KEPT_BY_HAND',
  data: { file },
});

async function answer(server: MemoryCardServer, { method, url, body }: SeenCall) {
  const { accounts, offersList } = server;
  if (url.startsWith('/users')) {
    if (!offersList) return { status: 404, json: { message: 'Route GET:/users not found' } };
    const users = [...accounts].map(([username, { expiryDate }]) => ({ username, expiryDate }));
    await server.onList();
    return { status: 200, json: { users } };
  }
  if (method === 'GET') {
    await server.beforeStatus();
    return { status: 200, json: { version: '1', instance: server.instance, ...server.tells } };
  }
  const { applied, tells, keptByHand } = server;
  if (url === '/reload') {
    if (applied === undefined) return { status: 404, json: { message: 'Not found' } };
    return { status: 200, json: { message: 'Told', applied, reload: tells.reload } };
  }
  const change = body as Change;
  const { username, password, expiryDate, newPassword, newExpiryDate } = change;
  const file = keptByHand.get(username);
  if (file) return { status: 409, json: keptByHandReply(file) };
  const known = accounts.get(username);
  if (method === 'POST') {
    if (known) return { status: 409, json: { message: 'Username already exists' } };
    accounts.set(username, { password, expiryDate, rights: withRights({}, change) });
    return { status: 201, json: { message: 'Added', applied, rights: true } };
  }
  if (!known) return { status: 404, json: { message: 'User not found' } };
  if (method === 'DELETE') accounts.delete(username);
  else {
    accounts.set(username, {
      password: newPassword ?? known.password,
      expiryDate: newExpiryDate ?? known.expiryDate,
      rights: withRights(known.rights, change),
    });
  }
  return { status: 200, json: { message: 'Done', applied, rights: true } };
}
