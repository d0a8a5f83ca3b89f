import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronsDown } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../format-moment.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Card } from '../ui/card.tsx';
import { FailedPanel } from '../ui/states/failed-panel.tsx';
import styles from './activity.module.css';
import { type StoryOf, storyQuery } from './queries.ts';
import { tellStory } from './story.ts';
import { StoryEntry } from './story-entry.tsx';

/** The whole story of a line or an account, newest first. */
export function ActivityCard({ of }: { of: StoryOf }) {
  const { t } = useTranslation('activity');
  return (
    <Card title={t('title')}>
      <Story of={of} />
    </Card>
  );
}

/** The story by itself, for a tab that has a heading. */
export function Story({ of }: { of: StoryOf }) {
  const { t, i18n } = useTranslation('activity');
  const story = useInfiniteQuery(storyQuery(of));
  const { data, error, hasNextPage, isFetchingNextPage } = story;
  if (!data) {
    return error ? <FailedPanel error={error} onRetry={() => void story.refetch()} /> : <Bones />;
  }
  const told = tellStory(data.pages.flatMap(({ items }) => items));
  const dayOf = (index: number) => {
    const entry = told[index];
    return entry && formatDate(entry.created_at, i18n.language);
  };
  return (
    <>
      <ol className={styles.story}>
        {told.map((entry, index) => (
          <Fragment key={entry.id}>
            {dayOf(index) !== dayOf(index - 1) && <li className={styles.day}>{dayOf(index)}</li>}
            <StoryEntry entry={entry} isOfLine={'line' in of} />
          </Fragment>
        ))}
      </ol>
      {hasNextPage && (
        <Button
          variant="soft"
          fullWidth
          icon={<ChevronsDown aria-hidden="true" />}
          pending={isFetchingNextPage}
          onClick={() => void story.fetchNextPage()}
        >
          {t('earlier')}
        </Button>
      )}
      {told.length === 0 && <p className={styles.quiet}>{t('nothing')}</p>}
    </>
  );
}

/** Keeps room for the first entries. */
function Bones() {
  return <div className={styles.bones} aria-hidden="true" />;
}
