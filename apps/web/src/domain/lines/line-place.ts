import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { windowHasLinePanel } from '#platform/browser/use-is-phone.ts';
import type { LinePart } from '#screens/line-screens.ts';
import { screenAt } from '#screens/screens.ts';

/**
 * The line in the panel beside the page and its open part, read from the address; without a line if the panel is
 * closed.
 */
export function useLinePlace() {
  const { line, part } = useSearch({ from: '/shell' });
  return { openId: line, part: part ?? ('overview' satisfies LinePart) };
}

interface Opening {
  part?: LinePart;
  /** True for the next line of a list, so that Back does not lead through all of them. */
  replace?: boolean;
}

/** The part of a line as a search parameter; undefined for the overview, which is the default. */
const searchOf = (part: LinePart | undefined) => ({ part: part === 'overview' ? undefined : part });

/** The link to a line's page. */
export const linePageLink = (id: string, part?: LinePart) =>
  ({ to: '/users/$id', params: { id }, search: searchOf(part) }) as const;

/** Returns functions that open a line and its parts, as a panel or a page, and close it. */
export function useOpenLine() {
  const router = useRouter();
  const navigate = useNavigate();
  const show = (line: string | undefined, part: LinePart | undefined, replace: boolean) =>
    navigate({
      to: '.',
      // A dialog about a job would cover the line.
      search: ((now: object) => ({ ...now, job: undefined, line, ...searchOf(part) })) as never,
      replace,
      resetScroll: false,
    });
  return {
    open: (id: string, { part, replace = false }: Opening = {}) =>
      windowHasLinePanel() && !isLinePage(router.state.location.pathname)
        ? show(id, part, replace)
        : navigate({ ...linePageLink(id, part), replace }),
    close: () => show(undefined, undefined, true),
  };
}

/** Leaves a line that no longer exists, on its page or in the panel beside a list. */
export function useLeaveLine() {
  const router = useRouter();
  const navigate = useNavigate();
  const { close } = useOpenLine();
  return async (id: string) => {
    const { pathname, search } = router.state.location;
    if (isLinePage(pathname) && pathname.includes(id)) {
      await navigate({ to: '/users/all', replace: true, ignoreBlocker: true });
    } else if ((search as { line?: string }).line === id) await close();
  };
}

function isLinePage(pathname: string): boolean {
  return screenAt(pathname)?.path === '/users/$id';
}

/** True on a line's own page, where other lines are opened as pages, too. */
export function useIsLinePage(): boolean {
  return useLocation({ select: ({ pathname }) => isLinePage(pathname) });
}
