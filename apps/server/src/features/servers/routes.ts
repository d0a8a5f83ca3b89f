import * as contract from '@linekeeper/contract/servers.ts';
import { route } from '../../core/use-case.ts';
import { createServer, deleteServer, editServer } from './save-server.ts';
import { findServer, listChoices, listServers } from './store.ts';
import { checkServers, testServer, testServerConfiguration } from './test-server.ts';

export const serverRoutes = [
  route(contract.listServers, ({ db }, { query }) => listServers(db, query)),
  route(contract.createServer, createServer),
  route(contract.serverChoices, ({ db }) => listChoices(db)),
  route(contract.testServerConfiguration, testServerConfiguration),
  route(contract.checkServers, checkServers),
  route(contract.getServer, ({ db }, { params }) => findServer(db, params.id)),
  route(contract.editServer, editServer),
  route(contract.deleteServer, deleteServer),
  route(contract.testServer, testServer),
];
