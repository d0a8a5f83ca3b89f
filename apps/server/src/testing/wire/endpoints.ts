import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { routes } from '../../app.ts';

/** Every endpoint that the panel mounts. */
export const endpoints: readonly Endpoint[] = routes.map(({ endpoint }) => endpoint);

const contract = join(import.meta.dirname, '../../../../../packages/contract/src');

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value;
}

/** Every endpoint that a file of the contract declares, mounted or not. */
export async function declaredEndpoints(): Promise<Endpoint[]> {
  const files = globSync('**/*.ts', { cwd: contract }).filter((file) => !file.endsWith('.test.ts'));
  const modules = await Promise.all(
    files.map((file): Promise<Record<string, unknown>> => import(join(contract, file))),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isEndpoint);
}
