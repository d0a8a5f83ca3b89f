import { format } from 'dependency-cruiser';
import { folderCircles } from './folder-circles.ts';
import { importsIn, readImportGraph } from './import-graph.ts';
import { isProduct } from './rooms.ts';

/**
 * Checks the import law: the rules of .dependency-cruiser.cjs, and that folders need each other in one
 * direction only. Exits with 1 if an import breaks the law.
 */

/** Rooms whose folders may not import each other in a circle. */
const CIRCLE_FREE = [
  'apps/web/src',
  'apps/server/src',
  'apps/agent/src',
  'packages/contract/src',
  'packages/data-folder/src',
  'packages/oscam/src',
  'packages/line-files/src',
];

const result = await readImportGraph();
const { output: report, exitCode } = await format(result, { outputType: 'err' });
console.log(report);

const imports = importsIn(result).filter(([source]) => isProduct(source));
const circles = CIRCLE_FREE.flatMap((root) => folderCircles(root, imports));
for (const { folder, members, ties } of circles) {
  console.log(`\nerror no-circles-by-folder: in ${folder}: ${members.join(', ')}`);
  for (const tie of ties) console.log(`      ${tie}`);
}

// Without its parser the tool skips every file and finds nothing wrong.
const isEmpty = result.summary.totalCruised === 0;
if (isEmpty) console.log('No module was looked at.');
process.exitCode = exitCode > 0 || circles.length > 0 || isEmpty ? 1 : 0;
