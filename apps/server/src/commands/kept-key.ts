import { resolve } from 'node:path';
import type { Config } from '../platform/config/config.ts';
import { readSecretKey } from '../platform/keys/key-file.ts';

/** The key of a database that a panel has used: from the settings, or the embedded database's own. */
export function keptKey({ secret_key, database_url, data_dir }: Config): string {
  const key = secret_key ?? (database_url ? null : readSecretKey(resolve(data_dir)));
  if (key === null) throw new Error('Set SECRET_KEY to the key of the panel');
  return key;
}
