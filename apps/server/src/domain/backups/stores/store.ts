import type { CopyConfig } from '../../../platform/config/config.ts';

export interface StoredFile {
  name: string;
  /** The path of the file on this machine. */
  path: string;
  /** The SHA-256 of its bytes in hexadecimal. */
  sha256: string;
}

/** A place on another machine for copies of backups. Errors have a sentence for the operator, without any secret. */
export interface BackupStore {
  put(file: StoredFile): Promise<void>;
  get(name: string): Promise<AsyncIterable<Uint8Array>>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  close(): void;
}

export type StoreConfig = Exclude<CopyConfig, { kind: 'command' }>;

/** Opens the store of the settings. `signal` ends all calls. The clients are loaded when they are first needed. */
export async function openStore(config: StoreConfig, signal: AbortSignal): Promise<BackupStore> {
  if (config.kind === 's3') return (await import('./s3.ts')).openS3(config, signal);
  return (await import('./sftp.ts')).openSftp(config, signal);
}
