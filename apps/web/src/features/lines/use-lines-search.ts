import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import type { LinesSearch } from '../../shared/lines-search.ts';
import { paths } from '../../shared/paths.ts';
import { DEFAULT_SIZE } from './search.ts';

/**
 * The pages passed on the way to this one. Cursors lead forward only, so the way back is kept
 * beside the address, where Back, Forward and a reload find it.
 */
interface PassedPages {
  cursors: readonly string[];
  total: number | null;
  total_is_exact: boolean | null;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    passedPages?: PassedPages;
  }
}

const FIRST_PAGE = '';

/** What the address says about the list, and ways to say something else. */
export function useLinesSearch() {
  const search: LinesSearch = useSearch({ strict: false });
  const navigate = useNavigate();

  /** Any change leads to the first page of what is then shown. */
  const change = (changes: LinesSearch, { replace = false } = {}) =>
    navigate({ to: paths.lines(), search: { ...search, cursor: undefined, ...changes }, replace });

  return { search, change };
}

interface ShownPage {
  items: readonly unknown[];
  next_cursor: string | null;
  total: number | null;
  total_is_exact: boolean | null;
}

/** Where the shown page lies in the list, as far as that is known, and the ways on and back. */
export function usePaging(page: ShownPage) {
  const { search } = useLinesSearch();
  const navigate = useNavigate();
  const known = useLocation({ select: ({ state }) => state.passedPages });
  const isFirst = search.cursor === undefined;
  const cursors = (!isFirst && known?.cursors) || [];
  // Only the first page is counted.
  const { total, total_is_exact } = isFirst ? page : (known ?? page);

  const goTo = (cursor: string, passed: readonly string[]) =>
    navigate({
      to: paths.lines(),
      search: { ...search, cursor: cursor || undefined },
      state: { passedPages: { cursors: passed, total, total_is_exact } },
    });

  const { next_cursor } = page;
  const from = isFirst || known ? cursors.length * (search.size ?? DEFAULT_SIZE) + 1 : undefined;
  return {
    from,
    to: from === undefined ? undefined : from + page.items.length - 1,
    total,
    isExact: total_is_exact !== false,
    // A link to a later page says nothing about the pages before it: back to the first one.
    goBack: isFirst ? undefined : () => goTo(cursors.at(-1) ?? FIRST_PAGE, cursors.slice(0, -1)),
    goOn: next_cursor
      ? () => goTo(next_cursor, [...cursors, search.cursor ?? FIRST_PAGE])
      : undefined,
  };
}
