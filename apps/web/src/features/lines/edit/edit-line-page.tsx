import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useCanGoBack, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { CirclePause, CirclePlay, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isGone } from '../../../shared/api/client.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { useSuspensionText } from '../../../shared/lines/texts.ts';
import { InTurn, useDrawnInSlices } from '../../../shared/start/later.tsx';
import { lazyComponent } from '../../../shared/start/lazy-component.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { Muted, Stack } from '../../../shared/ui/vocabulary.tsx';
import { lineQuery } from '../queries.ts';
import { RefusedChange } from '../refused-change.tsx';
import { DeleteLineDialog } from './delete-line-dialog.tsx';
import { EditLineForm } from './edit-line-form.tsx';
import { LineFacts } from './line-facts.tsx';

export function EditLinePage() {
  const { t } = useTranslation('lines');
  const { id } = useParams({ from: '/shell/users/edit/$id' });
  const { data: line, error, isPending, refetch } = useQuery(lineQuery(id));
  const drawn = useDrawnInSlices(line);
  const title = line ? t('edit.titleOf', { username: line.username }) : t('edit.title');
  return (
    <>
      <PageHeader title={title} />
      {drawn && <EditLine key={id} line={drawn} error={error} />}
      {!line && !isPending && (
        <Card>
          {isGone(error) ? (
            <FailedPanel
              error={error}
              action={
                <ButtonLink to="/users/all" variant="solid">
                  {t('done.back')}
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

const NameProblemBanner = lazyComponent(
  async () => (await import('./name-problem-banner.tsx')).NameProblemBanner,
  { isPart: true },
);

const RenewPopover = lazyComponent(
  async () => (await import('../renew/renew-popover.tsx')).RenewPopover,
);

const ActivityCard = lazyComponent(
  async () => (await import('../../../shared/activity/activity-card.tsx')).ActivityCard,
  { texts: 'activity', isPart: true },
);

/** Returns to the list with its filters, or to all lines if the page was opened by its address. */
function useLeave() {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return () => {
    if (canGoBack) history.back();
    else void navigate({ to: '/users/all' });
  };
}

function EditLine({ line, error }: { line: Line; error: Error | null }) {
  const leave = useLeave();
  const [renewButton, setRenewButton] = useState<HTMLElement | null>(null);
  const closeRenew = () => {
    setRenewButton(null);
    renewButton?.focus();
  };
  return (
    <Stack gap={24} phoneGap={16} className="form-width">
      {/* The line was deleted or is no longer accessible, so the form shows outdated values. */}
      {error && <RefusedChange error={error} />}
      <SuspensionBanner line={line} />
      {line.name_problem && <NameProblemBanner line={line} problem={line.name_problem} />}
      <EditLineForm line={line} onLeave={leave} onRenew={setRenewButton} />
      {/* Outside of the form: what is sent there is not saved with it. */}
      {renewButton && <RenewPopover line={line} anchor={renewButton} onClose={closeRenew} />}
      <InTurn>
        <LineFacts line={line} />
        <ActivityCard of={{ line: line.id }} />
        <SuspendCard line={line} />
        <DeleteCard line={line} />
      </InTurn>
    </Stack>
  );
}

function DeleteCard({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={t('delete.card')}>
      <Muted as="p" below={16}>
        {t('delete.cardText')}
      </Muted>
      <Button
        tone="danger"
        icon={<Trash2 />}
        aria-haspopup="dialog"
        blocked={useNeedsConnection()}
        onClick={() => setAsking(true)}
      >
        {t('delete.confirm')}
      </Button>
      {isAsking && (
        <DeleteLineDialog
          line={line}
          onClose={() => setAsking(false)}
          onDeleted={() => void navigate({ to: '/users/all', replace: true, ignoreBlocker: true })}
        />
      )}
    </Card>
  );
}

const SuspendLineDialog = lazyComponent(
  async () => (await import('../suspend/suspend-line-dialog.tsx')).SuspendLineDialog,
);
const ResumeLineDialog = lazyComponent(
  async () => (await import('../suspend/resume-line-dialog.tsx')).ResumeLineDialog,
);

function SuspensionBanner({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const suspensionText = useSuspensionText();
  const blocked = useNeedsConnection();
  const [isAsking, setAsking] = useState(false);
  const { suspension } = line;
  if (!suspension) return null;
  return (
    <>
      <Banner
        tone="warning"
        icon={<CirclePause />}
        title={suspensionText(suspension)}
        action={
          suspension.can_resume && (
            <Button
              size="small"
              icon={<CirclePlay />}
              aria-haspopup="dialog"
              blocked={blocked}
              onClick={() => setAsking(true)}
            >
              {t('resume.confirm')}
            </Button>
          )
        }
      >
        {suspension.reason && (
          <p>
            <TypedText>{suspension.reason}</TypedText>
          </p>
        )}
        <p>{t('suspend.meanwhile')}</p>
      </Banner>
      {isAsking && <ResumeLineDialog line={line} onClose={() => setAsking(false)} />}
    </>
  );
}

function SuspendCard({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const blocked = useNeedsConnection();
  const [isAsking, setAsking] = useState(false);
  if (line.suspension) return null;
  return (
    <Card title={t('suspend.card')}>
      <Muted as="p" below={16}>
        {t('suspend.text')}
      </Muted>
      <Button
        icon={<CirclePause />}
        aria-haspopup="dialog"
        blocked={blocked}
        onClick={() => setAsking(true)}
      >
        {t('suspend.action')}
      </Button>
      {isAsking && <SuspendLineDialog line={line} onClose={() => setAsking(false)} />}
    </Card>
  );
}
