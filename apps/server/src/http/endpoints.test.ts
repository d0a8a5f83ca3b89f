import { isMutation, refusalsOf } from '@linekeeper/contract/endpoint.ts';
import { errorStatus, isErrorCode } from '@linekeeper/contract/errors.ts';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../testing/wire/endpoints.ts';

describe('the calls of the panel', () => {
  test('there are some of every feature', () => {
    const features = new Set(endpoints.map(({ path }) => path.split('/')[2]));
    expect([...features]).toEqual(
      expect.arrayContaining(['auth', 'me', 'lines', 'servers', 'accounts', 'credits']),
    );
  });

  test('no two share a name, nor a method and path', () => {
    const names = endpoints.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    // A router cannot tell /{id} from /{job_id}, so parameter names are ignored here.
    const paths = endpoints.map(
      ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
    );
    expect(paths).toEqual([...new Set(paths)]);
  });

  test.each(endpoints)('$name: $method $path is sound', (endpoint) => {
    expect(endpoint.name).toMatch(/^[a-z][a-zA-Z]+$/);
    expect(endpoint.path).toMatch(/^\/api\/[a-z{}_/.-]+$/);
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(endpoint.params?.shape ?? {})).toEqual(inPath);
    if (endpoint.method === 'GET') expect(endpoint.body).toBeUndefined();
    if (endpoint.needsIdempotencyKey) expect(isMutation(endpoint)).toBe(true);
    for (const code of endpoint.errors ?? []) expect(isErrorCode(code)).toBe(true);
    if (endpoint.missingFieldsCode) expect(isErrorCode(endpoint.missingFieldsCode)).toBe(true);
    const { signedOut, forbidden, databaseAway } = refusalsOf(endpoint);
    expect([signedOut, forbidden, databaseAway].map(errorStatus)).toEqual([401, 403, 503]);
  });

  test('a call that creates something answers 201 and needs an Idempotency-Key', () => {
    const creating = endpoints.filter(({ status }) => status === 201);
    expect(creating.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['createLine', 'createServer', 'createAccount']),
    );
    for (const { name, takesFile, repliesWithSecret, needsIdempotencyKey = false } of creating) {
      // A secret is shown once, so its reply is not stored for a retry. A file is uploaded again at
      // a retry, and only one upload is used.
      expect(needsIdempotencyKey, name).toBe(!repliesWithSecret && !takesFile);
    }
  });
});
