import * as awaitedContract from '@linekeeper/contract/servers/awaited.ts';
import * as choicesContract from '@linekeeper/contract/servers/choices.ts';
import * as compareContract from '@linekeeper/contract/servers/compare.ts';
import * as healthContract from '@linekeeper/contract/servers/health.ts';
import * as outagesContract from '@linekeeper/contract/servers/outages.ts';
import * as presenceContract from '@linekeeper/contract/servers/presence.ts';
import * as contract from '@linekeeper/contract/servers/servers.ts';
import * as takeOverContract from '@linekeeper/contract/servers/take-over.ts';
import * as testCallContract from '@linekeeper/contract/servers/test-call.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import {
  checkServers,
  confirmServerDay,
  readRightsChoices,
  reloadServer,
  testServer,
  testServerConfiguration,
} from './ask-server.ts';
import { addAwaitedServer, awaitServer } from './awaited/await-server.ts';
import {
  callAwaitedServer,
  confirmAwaitedServer,
  readyAwaitedServer,
  testAwaitedServer,
} from './awaited/first-call.ts';
import { findAwaited, toAwaited } from './awaited/store.ts';
import { compareServer, mendServer } from './compare.ts';
import { countCustomers, customersCsv } from './customers.ts';
import { readHealth, summariseHealth } from './health.ts';
import { moveLines } from './move-lines.ts';
import { listOutages } from './outages.ts';
import { createServer, deleteServer, editServer } from './save-server.ts';
import {
  findNewestActive,
  findServer,
  listChecks,
  listChoices,
  listServers,
  listSessions,
} from './store.ts';
import { takeOverRows } from './take-over.ts';
import { testCall } from './test-call.ts';

export const serverRoutes = [
  route(contract.listServers, ({ db }, { query }) => listServers(db, query)),
  route(contract.createServer, createServer),
  route(awaitedContract.awaitServer, awaitServer),
  route(awaitedContract.callAwaitedServer, callAwaitedServer),
  route(awaitedContract.readyAwaitedServer, readyAwaitedServer, {
    notAudited: 'asks an agent how it is; what changes by its call is audited there',
  }),
  route(awaitedContract.getAwaitedServer, async ({ db }, { params }) =>
    toAwaited(await findAwaited(db, params.id)),
  ),
  route(awaitedContract.testAwaitedServer, testAwaitedServer, {
    notAudited: 'asks an agent how it is',
  }),
  route(awaitedContract.confirmAwaitedServer, confirmAwaitedServer),
  route(awaitedContract.addAwaitedServer, addAwaitedServer),
  route(choicesContract.serverChoices, ({ db, actor }) => listChoices(db, actor)),
  route(outagesContract.listOutages, listOutages),
  route(contract.testServerConfiguration, testServerConfiguration, {
    notAudited: 'asks a machine how it is and stores nothing',
  }),
  route(contract.checkServers, checkServers, {
    notAudited: 'what every test finds stands in the history of its server',
  }),
  route(contract.getServer, ({ db }, { params }) => findServer(db, params.id)),
  route(contract.editServer, editServer),
  route(contract.deleteServer, deleteServer),
  route(contract.testServer, testServer, {
    notAudited: 'what every test finds stands in the history of its server',
  }),
  route(contract.reloadServer, reloadServer, {
    notAudited: 'has a card server read what was delivered to it, and changes no account',
  }),
  route(contract.rightsChoices, readRightsChoices),
  route(contract.confirmServerDay, confirmServerDay),
  route(contract.moveLines, moveLines),
  route(contract.serverCustomers, countCustomers),
  route(contract.serverCustomersCsv, customersCsv),
  route(healthContract.serversHealth, summariseHealth),
  route(healthContract.serverHealth, readHealth),
  route(healthContract.listServerChecks, ({ db }, { params, query }) =>
    listChecks(db, params.id, query.hours),
  ),
  route(presenceContract.serverSessions, ({ db }, { params, query }) =>
    listSessions(db, params.id, query),
  ),
  route(compareContract.compareServer, compareServer),
  route(compareContract.mendServer, mendServer),
  route(takeOverContract.takeOverRows, takeOverRows),
  route(testCallContract.testCall, testCall, {
    auditsItself: 'before the server is asked to change something, which nothing takes back',
  }),
  route(choicesContract.serverAddress, async ({ db }) => {
    const { host_ip, api_port } = (await findNewestActive(db)) ?? fail('SERVER_NOT_FOUND');
    return { host_ip, api_port };
  }),
];
