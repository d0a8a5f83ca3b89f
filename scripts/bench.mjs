// `npm run bench`: measures the panel against a bare server or, with `--lighthouse`, how fast its
// pages open in a browser. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';
import { ensureWebBuilt } from './prepare.mjs';

const options = process.argv.slice(2);
const opensPages = options.includes('--lighthouse');
await runPrepared(async (node) => {
  if (opensPages) await ensureWebBuilt(node);
  return runProgram(node, opensPages ? 'bench/lighthouse.ts' : 'bench/main.ts', options);
});
