import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { CirclePause, CirclePlay } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSuspensionText } from '../../../shared/lines/use-suspension-text.ts';
import { lazyComponent } from '../../../shared/start/lazy-component.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import styles from './edit-line.module.css';

const SuspendLineDialog = lazyComponent(
  async () => (await import('../suspend/suspend-line-dialog.tsx')).SuspendLineDialog,
);
const ResumeLineDialog = lazyComponent(
  async () => (await import('../suspend/resume-line-dialog.tsx')).ResumeLineDialog,
);

/** Says above the form that the line is off, why, and who may change that. */
export function SuspensionBanner({ line }: { line: Line }) {
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
              icon={<CirclePlay aria-hidden="true" />}
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

export function SuspendCard({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const blocked = useNeedsConnection();
  const [isAsking, setAsking] = useState(false);
  if (line.suspension) return null;
  return (
    <Card title={t('suspend.card')} className={styles.danger}>
      <p>{t('suspend.text')}</p>
      <Button
        icon={<CirclePause aria-hidden="true" />}
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
