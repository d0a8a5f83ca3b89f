import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { everyGroupQuery } from '#domain/accounts/groups.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Card } from '#kit/ui/card.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { AddGroupLink, GroupLinks } from './group-links.tsx';

interface GroupFrameProps {
  /** Heading of the form; on a phone, where there is only the form, heading of the page. */
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
      <PageHeader title={t('nav.manageGroups')} back={null} actions={canAdd && <AddGroupLink />} />
      <div className="grid grid-cols-[344px_minmax(0,1fr)] items-start gap-6 tablet:grid-cols-1">
        <Card flush as="div" className="overflow-clip tablet:hidden">
          <GroupLinks rows={data} isInert={false} showsSkeleton={false} />
        </Card>
        {children}
      </div>
    </>
  );
}
