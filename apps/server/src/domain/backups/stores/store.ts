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
