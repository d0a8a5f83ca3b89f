import * as z from 'zod';
import { done } from '../auth/auth.ts';
import { endpoint } from '../endpoint.ts';
import { accountParams } from './accounts.ts';

export const getAccountTwoFactor = endpoint({
  name: 'getAccountTwoFactor',
  method: 'GET',
  path: '/api/accounts/{id}/two-factor',
  summary: 'Whether an account signs in with a second step',
  access: 'admin',
  needsSession: true,
  params: accountParams,
  output: z.object({ is_on: z.boolean() }),
  errors: ['USER_NOT_FOUND'],
});

export const disableAccountTwoFactor = endpoint({
  name: 'disableAccountTwoFactor',
  method: 'POST',
  path: '/api/accounts/{id}/two-factor/disable',
  summary:
    'Turn off the second step of another account that lost phone and recovery codes; its sessions end',
  access: 'admin',
  needsSession: true,
  params: accountParams,
  output: done,
  errors: ['USER_NOT_FOUND', 'INVALID_USER_ID', 'TWO_FACTOR_IS_OFF'],
});
