import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { LinePart } from '../../screens/line-screens.ts';
import { screenAt } from '../../screens/screens.ts';
import { windowHasLinePanel } from '../browser/use-is-phone.ts';

/** Where a line stands: as a panel beside the page, and on a small window as a page of its own. */
export function useLinePlace() {
  const { line, part } = useSearch({ from: '/shell' });
  return { openId: line, part: part ?? ('overview' satisfies LinePart) };
}

interface Opening {
  part?: LinePart;
  /** True for the next line of a list, so that Back does not lead through all of them. */
  replace?: boolean;
}

/** Opens a line and its parts, wherever there is room for it, and closes it. */
export function useOpenLine() {
  const router = useRouter();
  const navigate = useNavigate();
  const show = (line: string | undefined, part: LinePart | undefined, replace: boolean) =>
    navigate({
      to: '.',
      // A dialog about a job would cover the line.
      search: ((now: object) => ({ ...now, job: undefined, line, part })) as never,
      replace,
      resetScroll: false,
    });
  return {
    open: (id: string, { part, replace = false }: Opening = {}) => {
      const shown = part === 'overview' ? undefined : part;
      if (windowHasLinePanel() && !isLinePage(router.state.location.pathname)) {
        return show(id, shown, replace);
      }
      if (shown === 'edit') return navigate({ to: '/users/edit/$id', params: { id }, replace });
      return navigate({ to: '/users/$id', params: { id }, search: { part: shown }, replace });
    },
    close: () => show(undefined, undefined, true),
  };
}

/** Leads away from a line that is no more, wherever it is shown. */
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
  const path = screenAt(pathname)?.path;
  return path === '/users/$id' || path === '/users/edit/$id';
}

/** True on a line's own page, where other lines are opened as pages, too. */
export function useIsLinePage(): boolean {
  return useLocation({ select: ({ pathname }) => isLinePage(pathname) });
}
