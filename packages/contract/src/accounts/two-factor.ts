import * as z from 'zod';
import { done, endpoint } from '../endpoint.ts';
import { ofAccount } from './accounts.ts';

const ofTwoFactor = { ...ofAccount, access: 'admin', needsSession: true } as const;

export const getAccountTwoFactor = endpoint(
  'getAccountTwoFactor',
  'GET /api/accounts/{id}/two-factor',
  {
    ...ofTwoFactor,
    summary: "Get the state of another account's two-factor sign-in",
    description: 'Returns whether two-factor sign-in is on.',
    output: z.object({ is_on: z.boolean() }),
  },
);

export const disableAccountTwoFactor = endpoint(
  'disableAccountTwoFactor',
  'POST /api/accounts/{id}/two-factor/disable',
  {
    ...ofTwoFactor,
    summary: 'Turn off two-factor sign-in of another account',
    description:
      "Turns it off for someone who has lost both their phone and their recovery codes. The account's sessions end.",
    output: done,
    errors: ['INVALID_USER_ID', 'TWO_FACTOR_IS_OFF'],
  },
);
