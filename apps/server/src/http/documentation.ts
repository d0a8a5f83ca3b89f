import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import fastify, { type FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { version } from '../platform/config/version.ts';
import { completeDocument } from './openapi.ts';

export const errorBodySchema = z
  .object({
    code: z.string(),
    message: z.string(),
    data: z.record(z.string(), z.unknown()),
    fields: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'Error' });

/** The guide to the API, without its heading and without links to files that a panel does not serve. */
function readGuide(): string {
  const text = readFileSync(new URL('../../../../docs/reference/api.md', import.meta.url), 'utf8');
  return text.replace(/^# .*\n+/, '').replace(/\[([^\]]+)\]\(\.[^)]*\)/g, '$1');
}

/** Serves the contract as OpenAPI 3.1 at /api/openapi.json and its documentation at /api/docs. */
export async function document(
  app: FastifyInstance,
  cookieName: string,
  endpoints: readonly Endpoint[],
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Linekeeper',
        version,
        description: readGuide(),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // The server of the document is the panel that serves it, at any address.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'A key from *Profile → API keys*',
          },
          session: { type: 'apiKey', in: 'cookie', name: cookieName },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  let complete: object | undefined;
  app.get('/api/openapi.json', { schema: { hide: true } }, () => {
    complete ??= completeDocument(structuredClone(app.swagger()), endpoints);
    return complete;
  });
  let pages: Promise<FastifyInstance> | undefined;
  app.get('/api/docs*', { schema: { hide: true } }, async ({ url, host }, reply) => {
    pages ??= loadPages();
    const page = await (await pages).inject({ url, headers: { host } });
    if (page.statusCode === 404) return reply.callNotFound();
    const { location, 'content-type': type } = page.headers;
    void reply.headers(location ? { location } : { 'content-type': type });
    // This policy allows the page's own styles and its one inline script.
    void reply.header(
      'content-security-policy',
      "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    return reply.status(page.statusCode).send(page.rawPayload);
  });
}

/** The pages of the documentation. Their script is megabytes of source text, so it is loaded by their first reader. */
async function loadPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(scalar, {
    routePrefix: '/api/docs',
    configuration: {
      url: '/api/openapi.json',
      withDefaultFonts: false,
      // These settings turn off the library's online services.
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      telemetry: false,
      hideDarkModeToggle: true,
      forceDarkModeState: 'light',
    },
  });
  return app;
}
