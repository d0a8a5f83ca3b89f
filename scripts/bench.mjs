// `npm run bench`: measures the panel against a bare server or, with `--lighthouse`, how fast its
// pages open in a browser. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';

const options = process.argv.slice(2);
const program = options.includes('--lighthouse') ? 'bench/lighthouse.ts' : 'bench/main.ts';
await runPrepared((node) => runProgram(node, program, options));
