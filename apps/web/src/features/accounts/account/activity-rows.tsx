import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import { ChevronsDown } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { groupActivity } from '#domain/activity/activity-items.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { formatDate } from '#platform/format/format-moment.ts';
import { ActivityRow } from './activity-row.tsx';

interface ActivityRowsProps {
  entries: readonly ActivityEntry[];
  isOldestFirst?: boolean;
}

/** The rows of an activity, by day. */
export function ActivityRows({ entries, isOldestFirst }: ActivityRowsProps) {
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
          {dayOf(index) !== dayOf(index - 1) && (
            <li className="pt-4 px-0 pb-2 type-strong first:pt-0" data-day>
              {dayOf(index)}
            </li>
          )}
          <ActivityRow entry={entry} />
        </Fragment>
      ))}
    </ol>
  );
}

interface EarlierButtonProps {
  activity: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  isOldestFirst?: boolean;
}

/** The button that fetches the next page of a history. Renders nothing on the last one. */
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
