import { stopReminders } from '@linekeeper/contract/lines/reminders.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { VisitorFrame, VisitorOutcome } from '#kit/page/visitor/visitor-frame.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';

/** The page to which an email's link leads. A press stops the emails, because programs open links by themselves. */
export function StopRemindersPage() {
  const { t } = useTranslation('activate');
  const errorText = useErrorText();
  const stop = useCommand(stopReminders, { isSilent: true });
  if (stop.isDone) {
    return (
      <VisitorFrame title={t('stop.done')} hasContact={false}>
        <VisitorOutcome>
          <p role="status">{t('stop.again')}</p>
        </VisitorOutcome>
      </VisitorFrame>
    );
  }
  const token = new URLSearchParams(location.search).get('token') ?? '';
  return (
    <VisitorFrame title={t('stop.title')} intro={t('stop.text')} hasContact={false}>
      <div className="grid justify-items-start gap-4 mt-6">
        {stop.error !== null && <Banner tone="error" title={errorText(stop.error)} isAlert />}
        <Button
          variant="solid"
          size="large"
          pending={stop.isPending}
          onClick={() => void stop.send({ token })}
        >
          {t('stop.button')}
        </Button>
      </div>
    </VisitorFrame>
  );
}
