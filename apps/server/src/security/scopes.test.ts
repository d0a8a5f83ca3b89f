import { apiKeyScopes, scopeOf } from '@linekeeper/contract/auth/scopes.ts';
import { expect, test } from 'vitest';
import { endpoints } from '../testing/wire/endpoints.ts';

/** Written again with `-u`; review each new line. */
test('each call needs one scope of an API key', async () => {
  const rows = apiKeyScopes.flatMap((scope) => [
    `# ${scope}`,
    ...endpoints
      .filter((endpoint) => !endpoint.needsSession && scopeOf(endpoint) === scope)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
    '',
  ]);
  await expect(rows.join('\n')).toMatchFileSnapshot('scopes.txt');
});
