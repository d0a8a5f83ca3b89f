import { join } from 'node:path';
import { openPrivately } from './store.ts';

const SQLITE_BUSY = 5;

/**
 * Two agents on one folder would overwrite each other's files. The operating system drops this
 * lock with its process, also after kill -9, so none is ever left behind; a PID file can be.
 */
export function holdFolder(dir: string): { release(): void } {
  const db = openPrivately(join(dir, 'agent.lock'));
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new Error(`AGENT_DIR ${dir} is already in use by another agent`);
    }
    throw error;
  }
  return { release: () => db.close() };
}
