// `npm run bench`: the panel's speed beside that of a bare server. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';

await runPrepared((node) => runProgram(node, 'bench/main.ts', process.argv.slice(2)));
