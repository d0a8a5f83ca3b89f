import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronsDown } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../format/format-moment.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Card } from '../ui/card.tsx';
import { FailedPanel } from '../ui/states/failed-panel.tsx';
import { Caption } from '../ui/vocabulary.tsx';
import styles from './activity.module.css';
import { groupActivity } from './activity-items.ts';
import { ActivityRow } from './activity-row.tsx';
import { type ActivitySubject, activityQuery } from './queries.ts';

/** All activity of a line, newest first. */
export function ActivityCard({ of }: { of: ActivitySubject }) {
  const { t } = useTranslation('activity');
  return (
    <Card title={t('title')}>
      <ActivityPages of={of} />
    </Card>
  );
}

function ActivityPages({ of }: { of: ActivitySubject }) {
  const { t } = useTranslation('activity');
  const activity = useInfiniteQuery(activityQuery(of));
  const { data, error } = activity;
  if (!data) {
    return error ? (
      <FailedPanel error={error} onRetry={() => void activity.refetch()} />
    ) : (
      <Skeleton />
    );
  }
  const entries = data.pages.flatMap(({ items }) => items);
  return (
    <>
      <ActivityRows entries={entries} isOfLine={'line' in of} />
      <EarlierButton activity={activity} />
      {entries.length === 0 && (
        <Caption as="p" wraps>
          {t('nothing')}
        </Caption>
      )}
    </>
  );
}

interface ActivityRowsProps {
  entries: readonly ActivityEntry[];
  isOldestFirst?: boolean;
  /** On a line's own page its name would be in every row. */
  isOfLine?: boolean;
}

/** The rows of an activity, by day. */
export function ActivityRows({ entries, isOldestFirst, isOfLine = false }: ActivityRowsProps) {
  const { i18n } = useTranslation();
  const items = isOldestFirst
    ? groupActivity(entries.toReversed()).toReversed()
    : groupActivity(entries);
  const dayOf = (index: number) => {
    const entry = items[index];
    return entry && formatDate(entry.created_at, i18n.language);
  };
  return (
    <ol>
      {items.map((entry, index) => (
        <Fragment key={entry.id}>
          {dayOf(index) !== dayOf(index - 1) && <li className={styles.day}>{dayOf(index)}</li>}
          <ActivityRow entry={entry} isOfLine={isOfLine} />
        </Fragment>
      ))}
    </ol>
  );
}

interface EarlierButtonProps {
  activity: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  isOldestFirst?: boolean;
}

/** Fetches the next page of an activity, if there is one. */
export function EarlierButton({ activity, isOldestFirst }: EarlierButtonProps) {
  const { t } = useTranslation('activity');
  if (!activity.hasNextPage) return null;
  return (
    <Button
      variant="soft"
      fullWidth
      icon={<ChevronsDown />}
      pending={activity.isFetchingNextPage}
      onClick={() => void activity.fetchNextPage()}
    >
      {t(isOldestFirst ? 'later' : 'earlier')}
    </Button>
  );
}

/** Keeps room for the first entries. */
function Skeleton() {
  return <div className={styles.skeleton} aria-hidden="true" />;
}
