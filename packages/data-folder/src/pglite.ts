import { writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';

/**
 * Options that turn off the optimizing compiler. It takes 600 MB for a single function of PGlite at every start, and
 * keeps 100 MB more than the baseline compiler, whose code is only a quarter slower for a list page.
 */
const PLAIN_COMPILER = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

/** A smaller buffer than the default of 128 MB, because the operating system caches the same data anyway. */
const SHARED_BUFFERS = ['-c', 'shared_buffers=16MB'];

/** The message that PostgreSQL logs when it must stop. */
const LAST_WORDS = /(?:FATAL|PANIC|DETAIL): {2}(.*)$/;

/**
 * Ends the process after a PANIC. PostgreSQL then restarts its process and replays the log, but here it would loop
 * forever and block all signals; after a restart all acknowledged changes are present.
 */
function endAfterPanic(line: string): void {
  const said = /PANIC: {2}(.*)$/.exec(line)?.[1];
  if (!said) return;
  writeSync(2, `The embedded database cannot continue: ${said}. The panel stops. Start it again\n`);
  process.exit(1);
}

/** Opens the database in `path`, creating it if missing, or one in memory for null. */
export async function openPglite(path: string | null): Promise<PGlite> {
  for (const flag of PLAIN_COMPILER) setFlagsFromString(flag);
  const words: string[] = [];
  let lite: PGlite | null = null;
  try {
    lite = await PGlite.create({
      ...(path ? { dataDir: path } : {}),
      extensions: { pg_trgm, unaccent },
      startParams: [...PGlite.defaultStartParams, ...SHARED_BUFFERS],
      onStderr: (line) => {
        // A database that is closing ends in any case, and replays its log at the next start.
        if (lite?.ready) endAfterPanic(line);
        const said = LAST_WORDS.exec(line)?.[1];
        if (said) words.push(said);
        return false;
      },
    });
    return lite;
  } catch (error) {
    const said = words.join('; ') || (error instanceof Error ? error.message : String(error));
    const where = path ? ` in ${path}` : '';
    throw new Error(`The embedded database${where} cannot be opened: ${said}`, { cause: error });
  }
}
