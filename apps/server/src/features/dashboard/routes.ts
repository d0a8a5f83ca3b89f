import * as contract from '@linekeeper/contract/dashboard.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { getDashboard } from './get-dashboard.ts';

export const dashboardRoutes = [route(contract.getDashboard, getDashboard)];
