import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { cruise, format, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { root } from './prepare.mjs';
import { isProduct } from './rooms.ts';

/**
 * Checks the import law: the rules of .dependency-cruiser.cjs, and that folders need each other in one
 * direction only. Exits with 1 if an import breaks the law.
 */

const sources = globSync('{apps,packages}/*/src', { cwd: root }).map((folder) =>
  folder.replaceAll(sep, '/'),
);

type Import = readonly [from: string, to: string];
/** The imports between two files or folders, by the importing and the imported one. */
type Graph = Map<string, Map<string, string[]>>;

interface Circle {
  folder: string;
  members: string[];
  ties: string[];
}

/**
 * Finds circles among the files and folders of every folder below `root`. An import counts for the outermost folders
 * that differ, so that `list/table/cell.ts` importing `forms/field.ts` is an arrow from `list` to `forms`.
 */
export function folderCircles(root: string, imports: readonly Import[]): Circle[] {
  const graphs = new Map<string, Graph>();
  for (const [from, to] of imports) {
    if (!from.startsWith(`${root}/`) || !to.startsWith(`${root}/`)) continue;
    const [source, target] = [from.split('/'), to.split('/')];
    const depth = source.findIndex((part, index) => part !== target[index]);
    const [start, end] = [source[depth], target[depth]];
    if (!start || !end) continue;
    const graph = entryOf(graphs, source.slice(0, depth).join('/'), (): Graph => new Map());
    const arrows = entryOf(graph, start, () => new Map<string, string[]>());
    entryOf(arrows, end, (): string[] => []).push(`${from} → ${to}`);
  }
  return [...graphs].flatMap(([folder, graph]) =>
    circlesOf(graph).map((members) => ({ folder, members, ties: tiesOf(graph, members) })),
  );
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** Groups of two or more nodes that reach each other. */
function circlesOf(graph: Graph): string[][] {
  const reachable = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]));
  const reaches = (from: string, to: string) => reachable.get(from)?.has(to) ?? false;
  const groups = [...graph.keys()].map((node) =>
    [...graph.keys()].filter((other) => reaches(node, other) && reaches(other, node)),
  );
  return [...new Map(groups.map((group) => [group[0], group])).values()].filter(
    (group) => group.length > 0,
  );
}

function reachedFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set(graph.get(start)?.keys());
  // Iterating over a set includes elements that are added in the meantime.
  for (const node of reached) for (const next of graph.get(node)?.keys() ?? []) reached.add(next);
  return reached;
}

/**
 * The imports between members, starting with the arrows of the fewest imports, because one of these should be removed.
 */
function tiesOf(graph: Graph, members: readonly string[]): string[] {
  return members
    .flatMap((from) => [...(graph.get(from) ?? [])].filter(([to]) => members.includes(to)))
    .map(([, ties]) => ties)
    .sort((one, other) => one.length - other.length)
    .flat()
    .slice(0, 12);
}

/** All imports of the product and of its tests, and those that break the rules of .dependency-cruiser.cjs. */
export async function readImportGraph(): Promise<ICruiseResult> {
  const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs');
  const { output } = await cruise(sources, options);
  if (typeof output === 'string') throw new Error(output);
  return output;
}

export function importsIn({ modules }: ICruiseResult): Import[] {
  return modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => [source, resolved] as const),
  );
}

if (import.meta.main) {
  const result = await readImportGraph();
  const { output: report, exitCode } = await format(result, { outputType: 'err' });
  console.log(report);

  const imports = importsIn(result).filter(([source]) => isProduct(source));
  const circles = sources.flatMap((root) => folderCircles(root, imports));
  for (const { folder, members, ties } of circles) {
    console.log(`\nerror no-circles-by-folder: in ${folder}: ${members.join(', ')}`);
    for (const tie of ties) console.log(`      ${tie}`);
  }

  // Without its parser the tool skips every file and reports no errors.
  const isEmpty = result.summary.totalCruised === 0;
  if (isEmpty) console.log('No module was looked at.');
  process.exitCode = exitCode > 0 || circles.length > 0 || isEmpty ? 1 : 0;
}
