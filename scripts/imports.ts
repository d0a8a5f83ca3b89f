import { cruise, format } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { folderCircles } from './folder-circles.ts';

/**
 * Checks the import law: the rules of .dependency-cruiser.cjs, and that folders need each other in one
 * direction only. Takes the source folders as arguments; exits with 1 if an import breaks the law.
 */

/** Rooms whose folders may not import each other in a circle. */
const CIRCLE_FREE = [
  'apps/web/src',
  'apps/server/src',
  'apps/agent/src',
  'packages/data-folder/src',
  'packages/line-files/src',
];

const NOT_THE_PRODUCT = /\.(test|setup|soak)\.tsx?$|\/(testing|security|process-tests)\//;

const sources = process.argv.slice(2);
const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs');
const { output: result } = await cruise(sources, options);
if (typeof result === 'string') throw new Error(result);
const { output: report, exitCode } = await format(result, { outputType: 'err' });
console.log(report);

const imports = result.modules
  .filter(({ source }) => !NOT_THE_PRODUCT.test(source))
  .flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => [source, resolved] as const),
  );
const circles = CIRCLE_FREE.flatMap((root) => folderCircles(root, imports));
for (const { folder, members, ties } of circles) {
  console.log(`\nerror no-circles-by-folder: in ${folder}: ${members.join(', ')}`);
  for (const tie of ties) console.log(`      ${tie}`);
}

// Without its parser the tool skips every file and finds nothing wrong.
const isEmpty = result.summary.totalCruised === 0;
if (isEmpty) console.log('No module was looked at.');
process.exitCode = exitCode > 0 || circles.length > 0 || isEmpty ? 1 : 0;
