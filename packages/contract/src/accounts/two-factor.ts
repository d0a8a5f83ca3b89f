import * as z from 'zod';
import { done, endpoint } from '../endpoint.ts';
import { ofAccount } from './accounts.ts';

export const getAccountTwoFactor = endpoint(
  'getAccountTwoFactor',
  'GET /api/accounts/{id}/two-factor',
  {
    ...ofAccount,
    summary: "Get the state of another account's two-factor sign-in",
    access: 'admin',
    needsSession: true,
    output: z.object({ is_on: z.boolean() }),
  },
);

export const disableAccountTwoFactor = endpoint(
  'disableAccountTwoFactor',
  'POST /api/accounts/{id}/two-factor/disable',
  {
    ...ofAccount,
    summary: 'Turn off two-factor sign-in of another account',
    description:
      "For someone who has lost both their phone and their recovery codes. The account's sessions end.",
    access: 'admin',
    needsSession: true,
    output: done,
    errors: ['INVALID_USER_ID', 'TWO_FACTOR_IS_OFF'],
  },
);
