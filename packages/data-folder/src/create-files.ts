// A separate program that creates the files of an empty database in the given folder. See
// create.ts.
import { openPglite } from './pglite.ts';

// Ctrl-C reaches this process, too, but the panel, which waits for it, decides when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(1));

try {
  const lite = await openPglite(process.argv[2] ?? '');
  await lite.close();
  process.exit();
} catch (error) {
  process.send?.(error instanceof Error ? error.message : String(error), () => process.exit(1));
}
