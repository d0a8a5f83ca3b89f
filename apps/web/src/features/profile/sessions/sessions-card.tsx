import { describeBrowser } from '@linekeeper/contract/auth/describe-browser.ts';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '@linekeeper/contract/auth/sessions.ts';
import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AccessCard, AccessList, AccessRow } from '#features/profile/access-card.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { callQuery } from '#platform/api/call-query.ts';

export function SessionsCard() {
  const { t } = useTranslation('profile');
  const sessions = useQuery(callQuery('sessions', listSessions, { select: ({ items }) => items }));
  const { data } = sessions;
  return (
    <AccessCard
      title={t('sessions.title')}
      text={data && t('sessions.count', { count: data.length })}
      action={data && data.length > 1 && <EndOthers />}
    >
      <AccessList query={sessions}>
        {(session) => <SessionRow key={session.id} session={session} />}
      </AccessList>
    </AccessCard>
  );
}

function EndOthers() {
  const { t } = useTranslation('profile');
  const ending = useCommand(endOtherSessions, {
    refreshes: ['sessions'],
    waits: true,
    doneText: () => t('sessions.ended'),
  });
  const end = async () => {
    const isMeant = await confirm({
      title: t('sessions.endOthersTitle'),
      text: t('sessions.endOthersText'),
      confirmLabel: t('sessions.endOthers'),
      tone: 'danger',
    });
    if (isMeant) await ending.send();
  };
  return (
    <Button variant="text" tone="danger" pending={ending.isPending} onClick={() => void end()}>
      {t('sessions.endOthers')}
    </Button>
  );
}

function useBrowserName() {
  const { t } = useTranslation('profile');
  return ({ name, system }: ReturnType<typeof describeBrowser>) => {
    if (name && system) return t('device', { browser: name, system });
    return name ?? system ?? t('sessions.unknown');
  };
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useTranslation('profile');
  const ending = useCommand(endSession, {
    params: { id: session.id },
    refreshes: ['sessions'],
    waits: true,
    doneText: () => t('sessions.revoked'),
  });
  const browser = describeBrowser(session.user_agent);
  const name = useBrowserName()(browser);
  return (
    <AccessRow
      icon={browser.isPhone ? Smartphone : Monitor}
      name={name}
      text={
        <>
          {session.address && `${session.address} · `}
          {session.is_current ? t('health.now') : <Timestamp value={session.last_used_at} />}
        </>
      }
    >
      {session.is_current ? (
        <Badge tone="success">{t('sessions.this')}</Badge>
      ) : (
        <Button
          size="small"
          pending={ending.isPending}
          aria-label={t('sessions.revokeOf', { name })}
          onClick={() => void ending.send()}
        >
          {t('sessions.revoke')}
        </Button>
      )}
    </AccessRow>
  );
}
