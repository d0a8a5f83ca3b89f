import { useCanGoBack, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { linePageLink } from '#domain/lines/line-place.ts';
import { isNeverSaid, OnlineText } from '#domain/lines/presence.tsx';
import { StatusBadge } from '#domain/lines/status.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { isGone } from '#platform/api/client.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { LineTabs } from './line-tabs.tsx';
import { LineView } from './line-view.tsx';
import { QuietActions } from './quiet-actions.tsx';
import { useLine } from './use-line.ts';

/** The page of a line; on a phone it has all parts of the line. */
export function LinePage() {
  const { t } = useTranslation('line');
  const { id = '' } = useParams({ strict: false });
  const shown = useLine(id);
  const { line } = shown;
  const isPhone = useIsPhone();
  const leave = useLeave(id);
  return (
    <>
      <PageHeader
        title={line ? isolate(line.username) : t(isGone(shown.error) ? 'notFound' : 'field.line')}
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
      <div className="grid grid-cols-1 gap-6 phone:gap-4">
        {line && <LineTabs />}
        <LineView
          shown={shown}
          back={
            <ButtonLink to="/users/all" variant="solid">
              {t('recurring.backToLines')}
            </ButtonLink>
          }
          onLeaveEdit={leave}
        />
      </div>
    </>
  );
}

/**
 * Returns a function that goes back to the page where the editing began, or to the line if the page
 * was opened by its address.
 */
function useLeave(id: string) {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return () => {
    if (canGoBack) history.back();
    else void navigate(linePageLink(id));
  };
}
