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
import { type StoryOf, storyQuery } from './queries.ts';
import { tellStory } from './story.ts';
import { StoryEntry } from './story-entry.tsx';

/** The whole story of a line, newest first. */
export function ActivityCard({ of }: { of: StoryOf }) {
  const { t } = useTranslation('activity');
  return (
    <Card title={t('title')}>
      <Story of={of} />
    </Card>
  );
}

function Story({ of }: { of: StoryOf }) {
  const { t } = useTranslation('activity');
  const story = useInfiniteQuery(storyQuery(of));
  const { data, error } = story;
  if (!data) {
    return error ? <FailedPanel error={error} onRetry={() => void story.refetch()} /> : <Bones />;
  }
  const entries = data.pages.flatMap(({ items }) => items);
  return (
    <>
      <StoryEntries entries={entries} isOfLine={'line' in of} />
      <EarlierButton story={story} />
      {entries.length === 0 && (
        <Caption as="p" className={styles.quiet}>
          {t('nothing')}
        </Caption>
      )}
    </>
  );
}

interface StoryEntriesProps {
  entries: readonly ActivityEntry[];
  isOldestFirst?: boolean;
  /** In a line's own story its name would be in every entry. */
  isOfLine?: boolean;
}

/** Events as they are told, day by day. */
export function StoryEntries({ entries, isOldestFirst, isOfLine = false }: StoryEntriesProps) {
  const { i18n } = useTranslation();
  const told = isOldestFirst ? tellStory(entries.toReversed()).toReversed() : tellStory(entries);
  const dayOf = (index: number) => {
    const entry = told[index];
    return entry && formatDate(entry.created_at, i18n.language);
  };
  return (
    <ol>
      {told.map((entry, index) => (
        <Fragment key={entry.id}>
          {dayOf(index) !== dayOf(index - 1) && <li className={styles.day}>{dayOf(index)}</li>}
          <StoryEntry entry={entry} isOfLine={isOfLine} />
        </Fragment>
      ))}
    </ol>
  );
}

interface EarlierButtonProps {
  story: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  isOldestFirst?: boolean;
}

/** Leads on in the story, where it goes on. */
export function EarlierButton({ story, isOldestFirst }: EarlierButtonProps) {
  const { t } = useTranslation('activity');
  if (!story.hasNextPage) return null;
  return (
    <Button
      variant="soft"
      fullWidth
      icon={<ChevronsDown aria-hidden="true" />}
      pending={story.isFetchingNextPage}
      onClick={() => void story.fetchNextPage()}
    >
      {t(isOldestFirst ? 'later' : 'earlier')}
    </Button>
  );
}

/** Keeps room for the first entries. */
function Bones() {
  return <div className={styles.bones} aria-hidden="true" />;
}
