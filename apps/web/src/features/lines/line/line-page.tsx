import { Link, useCanGoBack, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type LinePart, lineParts } from '../../../screens/line-screens.ts';
import { isGone } from '../../../shared/api/client.ts';
import { useIsPhone } from '../../../shared/browser/use-is-phone.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { useScreen } from '../../../shared/layout/use-screen.ts';
import { useLinePlace } from '../../../shared/lines/line-place.ts';
import { isNeverSaid, OnlineText } from '../../../shared/lines/presence.tsx';
import { StatusBadge } from '../../../shared/lines/status.tsx';
import { useCurrentTabShown } from '../../../shared/list/views/use-current-tab-shown.ts';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { Stack } from '../../../shared/ui/vocabulary.tsx';
import styles from './line.module.css';
import { LinePageBody } from './line-body.tsx';
import { QuietActions } from './quiet-actions.tsx';
import { useLine } from './use-line.ts';

/** A line by its own address; on a phone everything a line is. */
export function LinePage() {
  const { t } = useTranslation('line');
  const { id = '' } = useParams({ strict: false });
  const { line, error, isPending, refetch } = useLine(id);
  const isPhone = useIsPhone();
  const { part: asked } = useLinePlace();
  const part = useScreen().path === '/users/edit/$id' ? 'edit' : asked;
  const leave = useLeave(id);
  return (
    <>
      <PageHeader
        title={line ? isolate(line.username) : t('title')}
        badges={
          line && (
            <>
              <StatusBadge line={line} />
              {!isNeverSaid(line.presence) && <OnlineText presence={line.presence} />}
            </>
          )
        }
        actions={line && !isPhone && <QuietActions line={line} />}
      />
      {line && (
        <Stack gap={24} phoneGap={16}>
          <PageTabs id={id} current={part} />
          <LinePageBody key={id} line={line} part={part} onLeaveEdit={leave} />
        </Stack>
      )}
      {!line && !isPending && (
        <Card>
          {isGone(error) ? (
            <FailedPanel
              error={error}
              action={
                <ButtonLink to="/users/all" variant="solid">
                  {t('backToLines')}
                </ButtonLink>
              }
            />
          ) : (
            <FailedPanel error={error} onRetry={refetch} />
          )}
        </Card>
      )}
    </>
  );
}

/** Back to where the editing began, or to the line if the page was opened by its address. */
function useLeave(id: string) {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return () => {
    if (canGoBack) history.back();
    else void navigate({ to: '/users/$id', params: { id } });
  };
}

function PageTabs({ id, current }: { id: string; current: LinePart }) {
  const { t } = useTranslation('line');
  const tabs = useRef<HTMLElement>(null);
  useCurrentTabShown(tabs);
  return (
    <nav ref={tabs} className={styles.tabs} aria-label={t('tabs.label')} data-print="none">
      {lineParts.map((part) => (
        <Link
          key={part}
          to={part === 'edit' ? '/users/edit/$id' : '/users/$id'}
          params={{ id }}
          search={part === 'receiver' || part === 'usage' ? { part } : {}}
          replace
          resetScroll={false}
          activeOptions={{ exact: true }}
          aria-current={part === current ? 'page' : undefined}
          data-current={part === current || undefined}
        >
          {t(`tabs.${part}`)}
        </Link>
      ))}
    </nav>
  );
}
