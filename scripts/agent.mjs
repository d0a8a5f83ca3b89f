// `npm run agent`: installs what is missing, then runs the card-server agent. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';

await runPrepared((node) => runProgram(node, 'apps/agent/src/main.ts'));
