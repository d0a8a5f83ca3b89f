import * as contract from '@linekeeper/contract/activity.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { accountActivity } from './account-activity.ts';
import { lineActivity } from './line-activity.ts';

export const activityRoutes = [
  route(contract.lineActivity, lineActivity),
  route(contract.accountActivity, accountActivity),
];
