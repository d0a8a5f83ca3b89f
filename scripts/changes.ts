import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Change {
  /** With / between folders. */
  path: string;
  /** Lines added without those removed; 0 for a file that is not text. */
  lines: number;
}

/**
 * The files that differ from what the upstream branch had when this one left it, or from the last commit if there is no
 * upstream branch. Those that git does not know yet are among them.
 */
export function readChanges(root: string): Change[] {
  const base = tryGit(root, 'merge-base', 'HEAD', '@{upstream}')?.trim() || 'HEAD';
  const changed = partsOf(tryGit(root, 'diff', '--numstat', '--no-renames', '-z', base));
  const unknown = partsOf(tryGit(root, 'ls-files', '--others', '--exclude-standard', '-z'));
  return [
    ...changed.map((row) => {
      const [added, removed, path = ''] = row.split('\t');
      return { path, lines: (Number(added) || 0) - (Number(removed) || 0) };
    }),
    ...unknown.map((path) => ({ path, lines: linesOf(join(root, path)) })),
  ];
}

export function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

function partsOf(output: string | null): string[] {
  return (output ?? '').split('\0').filter((part) => part !== '');
}

/** Null without git, or if it refuses: a downloaded archive has no history. */
function tryGit(root: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}
