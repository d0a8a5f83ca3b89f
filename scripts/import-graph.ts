import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { root } from './prepare.mjs';

/** Every import of the product and of its tests, and what breaks the rules of .dependency-cruiser.cjs. */
export async function readImportGraph(): Promise<ICruiseResult> {
  const sources = globSync('{apps,packages}/*/src', { cwd: root });
  const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs');
  const { output } = await cruise(
    sources.map((folder) => folder.replaceAll(sep, '/')),
    options,
  );
  if (typeof output === 'string') throw new Error(output);
  return output;
}

type Import = readonly [from: string, to: string];

export function importsIn({ modules }: ICruiseResult): Import[] {
  return modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => [source, resolved] as const),
  );
}
