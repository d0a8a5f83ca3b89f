import { SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import { daysBetween } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dueLinesQuery } from '#domain/lines/due-lines.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';

/** The outcome of a renewal on this page. */
export interface Renewed {
  until: string;
  cost: number;
  /** The job that can be undone; null if there is none. */
  jobId: string | null;
  /** False while the server does not have the renewed line. */
  isDelivered: boolean;
  /** True if the line was renewed in the meantime, but not on this page. */
  isElsewhere?: boolean;
}

export interface DueLine {
  line: Line;
  days: number;
  renewed: Renewed | undefined;
}

const byExpiryAndName = (one: Line, other: Line) =>
  one.expiry_date.localeCompare(other.expiry_date) || one.username.localeCompare(other.username);

/**
 * The account's lines that expire within a week. A line that is renewed stays in its place until the page is left, so
 * that the next one does not move below the finger, and its result stays visible.
 */
export function useDueLines() {
  const today = useToday();
  const query = useQuery(dueLinesQuery(useMe().id));
  const [kept, setKept] = useState<ReadonlyMap<string, Pick<DueLine, 'line' | 'renewed'>>>(
    new Map(),
  );
  const fetched = query.data?.items ?? [];
  const lines = [
    ...fetched.filter(({ id }) => !kept.has(id)),
    ...[...kept.values()].map(({ line }) => line),
  ];
  const due = lines
    .sort(byExpiryAndName)
    .map(
      (line): DueLine => ({
        line,
        days: daysBetween(today, line.expiry_date),
        renewed: kept.get(line.id)?.renewed,
      }),
    )
    .filter(({ days }) => days <= SOON_DAYS);
  return {
    today: due.filter(({ days }) => days <= 0),
    week: due.filter(({ days }) => days > 0),
    /** True if more lines expire within the week than are listed. */
    hasMore: query.data?.next_cursor !== null && due.length >= fetched.length,
    isPending: query.isPending,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    keep: (line: Line, renewed?: Renewed) =>
      setKept((before) => new Map(before).set(line.id, { line, renewed })),
    /** Makes a line due again, after its renewal was undone. */
    release: (id: string) =>
      setKept((before) => new Map([...before].filter(([kept]) => kept !== id))),
  };
}

export type DueLines = ReturnType<typeof useDueLines>;
