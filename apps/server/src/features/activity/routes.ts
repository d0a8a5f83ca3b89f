import * as contract from '@linekeeper/contract/activity.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { accountActivity, lineActivity } from './list-activity.ts';

export const activityRoutes = [
  route(contract.lineActivity, lineActivity),
  route(contract.accountActivity, accountActivity),
];
