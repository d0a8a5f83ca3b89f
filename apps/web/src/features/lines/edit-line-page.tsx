import type { Line } from '@linekeeper/contract/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useCanGoBack, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/api/client.ts';
import { paths } from '../../shared/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { DeleteLineDialog } from './delete-line-dialog.tsx';
import styles from './edit-line.module.css';
import { EditLineForm } from './edit-line-form.tsx';
import { LineFacts } from './line-facts.tsx';
import { lineQuery } from './queries.ts';
import { RefusedChange } from './refused-change.tsx';

export function EditLinePage() {
  const { t } = useTranslation('lines');
  const { id = '' } = useParams({ strict: false });
  const { data: line, error, isPending, refetch } = useQuery(lineQuery(id));
  const title = line ? t('edit.titleOf', { username: line.username }) : t('edit.title');
  return (
    <>
      <PageHeader title={title} back={{ to: paths.lines(), label: t('title') }} />
      {line && <EditLine key={id} line={line} error={error} />}
      {!line && !isPending && (
        <Card>
          {isNoLine(error) ? (
            <FailedPanel
              error={error}
              action={
                <ButtonLink to={paths.lines()} variant="solid">
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

/** No such line, or not the reader's: asking again has the same answer. */
function isNoLine(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 422].includes(error.status);
}

/** Back to the list as it was filtered; to all lines where the page was opened by its address. */
function useLeave() {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return () => {
    if (canGoBack) history.back();
    else void navigate({ to: paths.lines() });
  };
}

function EditLine({ line, error }: { line: Line; error: Error | null }) {
  const leave = useLeave();
  return (
    <div className={styles.cards}>
      {/* Deleted by somebody else, or out of reach: what is shown is no longer what is. */}
      {error && <RefusedChange error={error} />}
      <EditLineForm line={line} onLeave={leave} />
      <LineFacts line={line} />
      <DeleteCard line={line} />
    </div>
  );
}

function DeleteCard({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={t('delete.card')} className={styles.danger}>
      <p>{t('delete.cardText')}</p>
      <Button
        tone="danger"
        icon={<Trash2 aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        {t('delete.confirm')}
      </Button>
      {isAsking && (
        <DeleteLineDialog
          line={line}
          onClose={() => setAsking(false)}
          onDeleted={() => void navigate({ to: paths.lines(), replace: true, ignoreBlocker: true })}
        />
      )}
    </Card>
  );
}
