import type { Job, JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { AddressChange } from '../../../shared/lines/address-change.tsx';

/** Pairs that are shown; of the others only the customers are counted. */
const MOST_SHOWN = 3;

interface Change {
  from: string[];
  to: string[];
  count: number;
}

const linesOf = (fields: JobItem['before']): string[] =>
  Array.isArray(fields?.receivers) ? fields.receivers : [];

const keyOf = ({ from, to }: Pick<Change, 'from' | 'to'>) => JSON.stringify([from, to]);

/** Old and new C and N lines where a move gives other ones, those of most customers first. */
function changesOf(items: readonly JobItem[]): Change[] {
  const found = new Map<string, Change>();
  for (const { before, after, state } of items) {
    if (state === 'skipped' || !Array.isArray(before?.receivers)) continue;
    const lines = { from: linesOf(before), to: linesOf(after) };
    const change = found.get(keyOf(lines)) ?? { ...lines, count: 0 };
    change.count += 1;
    found.set(keyOf(lines), change);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

/** What the customers of chosen lines must change after a move. */
export function AddressChanges({ job }: { job: Job }) {
  const { t } = useTranslation('bulk');
  const changes = changesOf(job.items);
  const rest = changes.slice(MOST_SHOWN).reduce((sum, { count }) => sum + count, 0);
  if (changes.length === 0) return <p role="status">{t('preview.sameAddress')}</p>;
  return (
    <>
      {changes.slice(0, MOST_SHOWN).map((change) => (
        <AddressChange key={keyOf(change)} {...change} />
      ))}
      {rest > 0 && <p>{t('preview.moreAddresses', { count: rest })}</p>}
    </>
  );
}
