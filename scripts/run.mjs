// `npm run agent`, `npm start` and other commands that run one program: prepares the clone, then runs it.
// Runs on Node 20.
import { runPrepared, runProgram, runWithoutSettings } from './launch.mjs';
import { memorySettings } from './memory.mjs';
import { ensureWebBuilt, PrepareError } from './prepare.mjs';

const [command = '', ...args] = process.argv.slice(2);
/** Measures how fast the pages open in a browser, instead of the panel's speed. */
const opensPages = args.includes('--lighthouse');
const bench = opensPages ? 'lighthouse' : args.includes('--memory') ? 'memory' : 'main';
const vitest = 'node_modules/vitest/vitest.mjs';

/**
 * @typedef {(node: string) => Promise<import('./processes.mjs').Ending>} Program
 * @type {Record<string, { needsWeb?: boolean, run: Program }>}
 */
const programs = {
  agent: { run: (node) => runProgram(node, 'apps/agent/src/main.ts') },
  bench: {
    needsWeb: opensPages,
    run: (node) => runProgram(node, `bench/${bench}.ts`, args),
  },
  // For a service that may not write to the clone.
  build: { needsWeb: true, run: async () => ({ code: 0, signal: null }) },
  // Settings of a panel in .env concern another panel.
  demo: { needsWeb: true, run: (node) => runWithoutSettings(node, 'scripts/demo/main.ts') },
  screenshots: {
    needsWeb: true,
    run: (node) => runProgram(node, 'e2e/support/screenshots.ts', args),
  },
  soak: {
    run: (node) =>
      runWithoutSettings(node, vitest, ['run', '--config', 'vitest.soak.config.ts', ...args]),
  },
  start: {
    needsWeb: true,
    run: (node) => {
      // What the operator set wins.
      Object.assign(process.env, { ...memorySettings, ...process.env });
      return runProgram(node, 'apps/server/src/commands/main.ts', args);
    },
  },
  'try-line': { run: (node) => runProgram(node, 'apps/agent/src/try-line.ts', args) },
};

await runPrepared(async (node) => {
  const program = Object.hasOwn(programs, command) ? programs[command] : undefined;
  if (!program) {
    const names = Object.keys(programs).join(', or ');
    throw new PrepareError(`Say what to run: node scripts/run.mjs ${names}.`);
  }
  if (program.needsWeb) await ensureWebBuilt(node);
  return program.run(node);
});
