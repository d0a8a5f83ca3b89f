import * as contract from '@linekeeper/contract/dashboard.ts';
import { route } from '../../core/use-case.ts';
import { getDashboard } from './get-dashboard.ts';

export const dashboardRoutes = [route(contract.getDashboard, getDashboard)];
