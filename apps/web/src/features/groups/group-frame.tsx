import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { everyGroupQuery } from '#domain/accounts/groups.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Grid } from '#kit/ui/vocabulary.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { AddGroupLink, GroupLinks } from './group-links.tsx';
import styles from './groups.module.css';

interface GroupFrameProps {
  /** Heading of the form; on a phone, which shows nothing else, that of the page. */
  title: string | undefined;
  /** False on the page that adds a group. */
  canAdd?: boolean;
  children: ReactNode;
}

/** The list of groups with a form beside it; on a phone the form alone. */
export function GroupFrame({ title, canAdd = true, children }: GroupFrameProps) {
  const { t } = useTranslation('groups');
  const isPhone = useIsPhone();
  const { data } = useQuery(everyGroupQuery());
  if (isPhone) {
    return (
      <>
        <PageHeader {...(title ? { title } : {})} />
        {children}
      </>
    );
  }
  return (
    <>
      <PageHeader title={t('title')} back={null} actions={canAdd && <AddGroupLink />} />
      <Grid columns="344px minmax(0, 1fr)" align="start" gap={24} single="tablet">
        <Card flush as="div" className={styles.side}>
          <GroupLinks rows={data} isInert={false} showsSkeleton={false} />
        </Card>
        {children}
      </Grid>
    </>
  );
}
