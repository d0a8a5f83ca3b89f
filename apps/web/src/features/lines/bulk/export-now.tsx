import { useEffect, useRef } from 'react';
import { useLinesSearch } from '../use-lines-search.ts';
import { filterOf } from './use-bulk-selection.ts';
import { useExport } from './use-export.ts';

/** Orders what the list shows as CSV, once each time `orders` grows; draws nothing. */
export function ExportNow({ orders }: { orders: number }) {
  const { search } = useLinesSearch();
  const exportLines = useExport();
  const done = useRef(0);
  useEffect(() => {
    if (done.current === orders) return;
    done.current = orders;
    exportLines({ filter: filterOf(search) });
  }, [orders, exportLines, search]);
  return null;
}
