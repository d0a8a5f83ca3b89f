// `npm run try-line -- "C: host port username password"`: signs in to a card server as a receiver
// does, and says what came of it. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';

await runPrepared((node) => runProgram(node, 'apps/agent/src/try-line.ts', process.argv.slice(2)));
