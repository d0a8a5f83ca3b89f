import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf } from './files.ts';
import { makeFolder } from './make-folder.ts';

export type FolderLock = ReturnType<typeof lockFolder>;

const SQLITE_BUSY = 5;

/** Programs that can hold the folder, and the names of their commands. */
const commands: Record<string, string> = {
  backup: 'backup',
  migrate: 'migrate',
  'reset-password': 'reset-password',
  restore: 'restore',
  'rotate-keys': 'rotate-keys',
  seed: 'seed',
  'verify-ledger': 'verify',
};

/**
 * Path of the file with the name of the lock's holder, for processes that find the folder locked. A
 * killed holder's file is never read, because its lock is free.
 */
const holderPath = (folder: string) => join(folder, 'lock.holder');

export class HeldFolder extends Error {
  /** Name of the command that holds the folder; null if a panel holds it. */
  readonly command: string | null;

  constructor(folder: string, cause: unknown) {
    const command = readHolder(folder);
    super(
      command === null
        ? `Another panel is already running on ${folder}`
        : `The command ${command} is using ${folder}: run this again when it has ended`,
      { cause },
    );
    this.command = command;
  }
}

function readHolder(folder: string): string | null {
  try {
    const named = readFileSync(holderPath(folder), 'utf8');
    return Object.values(commands).find((command) => command === named) ?? null;
  } catch {
    return null;
  }
}

/** Stores the command that holds the folder; a panel stores none. Ignores errors, such as a full disk. */
function nameHolder(folder: string, command?: string): void {
  try {
    if (command === undefined) rmSync(holderPath(folder), { force: true });
    else writeFileSync(holderPath(folder), command);
  } catch {}
}

/**
 * Locks the folder, because the embedded database has no lock and two processes would destroy it. SQLite's lock ends
 * with its process in any case, even after a kill. Throws a HeldFolder immediately if another process holds it.
 */
export function lockFolder(folder: string) {
  const lock = openLock(folder);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const isHeld = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    throw isHeld ? new HeldFolder(folder, error) : error;
  }
  const program = basename(process.argv[1] ?? '', '.ts');
  nameHolder(folder, commands[program]);
  return {
    folder,
    release: () => {
      nameHolder(folder);
      lock.close();
    },
  };
}

function openLock(folder: string): DatabaseSync {
  try {
    makeFolder(folder);
  } catch (error) {
    const reason = codeOf(error) || error;
    throw new Error(`The folder ${folder} (DATA_DIR) cannot be created: ${reason}`, {
      cause: error,
    });
  }
  try {
    return new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`lock.db in ${folder} (DATA_DIR) cannot be opened for writing: ${words}`, {
      cause: error,
    });
  }
}
