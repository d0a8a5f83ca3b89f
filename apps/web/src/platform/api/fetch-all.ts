import { MAX_PAGE_SIZE } from '@linekeeper/contract/endpoint.ts';

interface Paging {
  limit: number;
  cursor: string | undefined;
}

interface FetchedPage<Row> {
  items: Row[];
  next_cursor: string | null;
}

/** Fetches page after page of a list, until its end or until there are enough rows. */
export async function fetchAll<Row>(
  fetchPage: (paging: Paging) => Promise<FetchedPage<Row>>,
  wanted = Number.POSITIVE_INFINITY,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPage({ limit: MAX_PAGE_SIZE, cursor });
    rows.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor && rows.length < wanted);
  return { rows, isCut: cursor !== undefined };
}
