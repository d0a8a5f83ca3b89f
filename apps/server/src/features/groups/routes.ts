import * as contract from '@linekeeper/contract/accounts/groups.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { createGroup, deleteGroup, editGroup } from './save-group.ts';
import { listGroups } from './store.ts';

export const groupRoutes = [
  route(contract.listGroups, ({ db, actor }, { query }) => listGroups(db, actor, query)),
  route(contract.createGroup, createGroup),
  route(contract.editGroup, editGroup),
  route(contract.deleteGroup, deleteGroup),
];
