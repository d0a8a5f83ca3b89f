import { test as base } from '@playwright/test';
import type { Api } from './api.ts';
import { agentCredentials } from './people.ts';
import { apiOf } from './sign-in.ts';
import { desktop } from './sizes.ts';
import { unique } from './unique.ts';

export { expect } from '@playwright/test';

export interface Account {
  id: string;
  email: string;
  password: string;
}

interface OfTest {
  /** True in the project `phone`. */
  isPhone: boolean;
}

/** Fixtures that last for a worker, so that an account signs in once. Hooks for a whole file have them too. */
interface OfWorker {
  admin: Api;
  reseller: Api;
  /** Creates an account, by default a reseller, that the actions of other tests do not affect. */
  newAccount(fields?: Record<string, unknown>): Promise<Account>;
  /** Adds a server with this agent, and tests it. Returns its id. */
  addServer(
    server_name: string,
    agent: { url: string },
    fields?: Record<string, unknown>,
  ): Promise<string>;
}

export const test = base.extend<OfTest, OfWorker>({
  isPhone: ({ viewport }, use) => use(viewport !== null && viewport.width < desktop.width / 2),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  admin: [async ({}, use) => use(await apiOf('admin')), { scope: 'worker' }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  reseller: [async ({}, use) => use(await apiOf('reseller')), { scope: 'worker' }],
  newAccount: [
    ({ admin }, use) =>
      use(async (fields) => {
        const own = {
          email: `own-${unique()}@linekeeper.example`,
          password: 'heron-on-the-lake-9',
          group_id: '2',
          ...fields,
        };
        const { account } = await admin.post('/api/accounts', own);
        return { id: account.id, email: own.email, password: own.password };
      }),
    { scope: 'worker' },
  ],
  addServer: [
    ({ admin }, use) =>
      use(async (server_name, { url }, fields) => {
        const { server } = await admin.post('/api/servers', {
          server_name,
          host_ip: '127.0.0.1',
          port: 12_000,
          api_port: Number(new URL(url).port),
          ...agentCredentials,
          ...fields,
        });
        return server.id;
      }),
    { scope: 'worker' },
  ],
});
