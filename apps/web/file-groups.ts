import { basename } from 'node:path';
import type { Rolldown } from 'vite';

/** Module id of the application itself, which entry.ts imports. */
export const START = '/src/app/main.tsx';
/** Module id of the libraries, which are evaluated before the application. */
export const LIBRARIES = '/src/app/libraries.ts';
const ENTRY = '/src/app/entry.ts';
const PAGES = '/src/app/pages.ts';
const FRAME = '/src/app/signed-in.tsx';
const SIGN_IN = /\/sign-in-page\.tsx$/;
const JOBS = '/src/features/jobs/job-host.tsx';
const UNREAD = '/src/app/shell/nav-badge.tsx';
const OVERLAYS = ['/src/kit/overlays/overlays.tsx', '/src/kit/overlays/menu.tsx'];
/** The most visited screen; a test limits the size of its first load. */
const LIST = /\/lines\/list\/lines-page\.tsx$/;
const ADD_LINE = /\/add-line-page\.tsx$/;

/** Modules that belong to no feature. */
const SHARED = /[\\/](node_modules|src[\\/](domain|kit|platform))[\\/]/;
const FEATURE = /[\\/]features[\\/](\w[\w-]*)[\\/]/;

type Modules = Rolldown.ChunkingContext;

/**
 * lucide-react re-exports every icon from this one file, so importing one icon must not count as
 * importing them all.
 */
const ICONS = /\/lucide-react\.m?js$/;
const IMPORTED = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;
const EXPORTED = /export\s*\{([^}]*)\}\s*from\s*["']\.\/icons\/([^"']*)["']/g;

const filesByIcon = new Map<string, string>();

function iconsOf(code: string, all: string, modules: Modules): string[] {
  const icons = modules.getModuleInfo(all);
  if (filesByIcon.size === 0) {
    for (const [, names = '', file = ''] of icons?.code?.matchAll(EXPORTED) ?? []) {
      for (const name of names.split(',')) filesByIcon.set(lastWord(name), file);
    }
  }
  const names = [...code.matchAll(IMPORTED)].flatMap(([, list = '']) => list.split(','));
  const files = new Set(names.map((name) => filesByIcon.get(name.trim().split(/\s+/)[0] ?? '')));
  return icons?.importedIds.filter((id) => files.has(basename(id))) ?? [];
}

function lastWord(name: string): string {
  return name.trim().split(/\s+/).at(-1) ?? '';
}

function importsOf(id: string, modules: Modules): readonly string[] {
  const { importedIds = [], code } = modules.getModuleInfo(id) ?? {};
  const all = importedIds.find((imported) => ICONS.test(imported));
  if (!all) return importedIds;
  const others = importedIds.filter((imported) => imported !== all);
  return [...others, ...iconsOf(code ?? '', all, modules)];
}

/**
 * TanStack modules that only pages use, although the library's index also makes the start import
 * them.
 */
const LATE =
  /\/(useInfiniteQuery|infiniteQueryObserver|useQueries|queriesObserver|useCanGoBack|useMutationState)\.js$/;

/** A module that only forms use, although the router's index also makes the start import it. */
const FORMS = /\/useBlocker\.js$/;

/** The given modules and everything they import statically, directly or not. */
function needsOf(start: Iterable<string>, modules: Modules): Set<string> {
  const found = new Set<string>();
  const open = [...start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...importsOf(id, modules));
  }
  return found;
}

interface Needs {
  entry: Set<string>;
  start: Set<string>;
  signIn: Set<string>;
  frame: Set<string>;
  list: Set<string>;
  /** Dialogs, menus and other overlays, with the library that draws them. */
  overlays: Set<string>;
  /** Modules of the second most visited screen. */
  addLine: Set<string>;
  /** Modules of the forms for lines that dialogs and other pages need too. */
  lineForms: Set<string>;
  /** The cards of background jobs, shown on every screen. */
  jobs: Set<string>;
  /** Modules of the navigation's badge, which is on every screen, too. */
  unread: Set<string>;
  /** Modules of all pages except the lines list. */
  others: Set<string>;
}

function measure(root: string, modules: Modules): Needs {
  const pages = modules.getModuleInfo(root + PAGES)?.dynamicallyImportedIds ?? [];
  const those = (pattern: RegExp) => pages.filter((id) => pattern.test(id));
  const rest = pages.filter((id) => !LIST.test(id) && !id.endsWith(FRAME));
  const addLine = needsOf(those(ADD_LINE), modules);
  const lineForms = [...addLine].filter((id) =>
    modules.getModuleInfo(id)?.importers.some((importer) => !addLine.has(importer)),
  );
  return {
    entry: needsOf([root + ENTRY], modules),
    start: needsOf([root + START], modules),
    signIn: needsOf(those(SIGN_IN), modules),
    frame: needsOf([root + FRAME], modules),
    list: needsOf(those(LIST), modules),
    overlays: needsOf(
      OVERLAYS.map((file) => root + file),
      modules,
    ),
    addLine,
    lineForms: needsOf(lineForms, modules),
    jobs: needsOf([root + JOBS], modules),
    unread: needsOf([root + UNREAD], modules),
    others: needsOf(rest, modules),
  };
}

let needs: Needs | undefined;

/**
 * Chooses the output file of a module by the screens that need it; null leaves the choice to Rolldown. Without this the
 * sign-in page fetched the code of the list, and the list fetched the code of its dialogs.
 */
function fileOf(id: string, modules: Modules): string | null {
  needs ??= measure(import.meta.dirname.replaceAll('\\', '/'), modules);
  const { entry, start, signIn, frame, list, addLine, lineForms } = needs;
  const { overlays, jobs, unread, others } = needs;
  if (entry.has(id) || id.startsWith('\0')) return 'entry';
  if (id.endsWith(LIBRARIES)) return 'libraries';
  if (id.endsWith(START)) return null;
  if (LATE.test(id)) return 'more-queries';
  if (FORMS.test(id)) return 'fields';
  if (start.has(id)) return id.includes('node_modules') ? 'libraries' : 'start';
  if (signIn.has(id)) return frame.has(id) || list.has(id) ? 'start' : 'fields';
  if (frame.has(id)) return 'frame';
  if (list.has(id)) return others.has(id) ? 'shared' : 'lines-list';
  if (addLine.has(id)) return lineForms.has(id) ? 'line-forms' : null;
  if (jobs.has(id)) return 'jobs';
  if (unread.has(id)) return 'unread';
  if (overlays.has(id)) return 'overlays';
  return others.has(id) && SHARED.test(id) ? 'pages' : null;
}

/** The file for modules that several pages and dialogs of one feature need. */
function featureOf(id: string): string | null {
  return FEATURE.exec(id)?.[1] ?? null;
}

/** HTTP/1.1 gives a browser six connections, so the build makes a few large files. */
export const fileGroups: Rolldown.CodeSplittingGroup[] = [
  { name: fileOf, debugName: 'by who needs it', priority: 1 },
  { name: 'dialogs', test: SHARED, minShareCount: 2 },
  { name: featureOf, debugName: 'by feature', test: FEATURE, minShareCount: 2 },
];
