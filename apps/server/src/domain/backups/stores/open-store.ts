import type { BackupStore, StoreConfig } from './store.ts';

/** Opens the store of the settings. `signal` ends all calls. The clients are loaded when they are first needed. */
export async function openStore(config: StoreConfig, signal: AbortSignal): Promise<BackupStore> {
  if (config.kind === 's3') return (await import('./s3.ts')).openS3(config, signal);
  return (await import('./sftp.ts')).openSftp(config, signal);
}
