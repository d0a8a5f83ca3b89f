import type { Job, JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { AddressChange } from '../../../shared/lines/address-change.tsx';

/** Pairs that are shown; of the others only the customers are counted. */
const MOST_SHOWN = 3;

interface Change {
  from: string;
  to: string;
  count: number;
}

const addressesOf = (fields: JobItem['before']): unknown[] =>
  Array.isArray(fields?.host_port) ? fields.host_port : [];

/** Old and new addresses of the lines that a move gives another one, those of most lines first. */
function changesOf(items: readonly JobItem[]): Change[] {
  const found = new Map<string, Change>();
  for (const { before, after, state } of items) {
    const [old, next] = [addressesOf(before), addressesOf(after)];
    const place = old.findIndex((address, index) => address !== next[index]);
    const [from, to] = [old[place], next[place]];
    if (state === 'skipped' || typeof from !== 'string' || typeof to !== 'string') continue;
    const change = found.get(`${from} ${to}`) ?? { from, to, count: 0 };
    change.count += 1;
    found.set(`${from} ${to}`, change);
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
        <AddressChange key={`${change.from} ${change.to}`} {...change} />
      ))}
      {rest > 0 && <p>{t('preview.moreAddresses', { count: rest })}</p>}
    </>
  );
}
