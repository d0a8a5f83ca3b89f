import type { Session } from '@linekeeper/contract/servers/presence.ts';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OnlineDot, OnlineText } from '#domain/lines/presence.tsx';
import { useEndSessions } from '#domain/lines/use-end-sessions.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { formatSince } from '#platform/format/format-moment.ts';
import { useMinute } from '#platform/state/minute.ts';
import type { UsageProps } from './usage-props.ts';
import { useUsageTexts } from './use-usage-texts.ts';

/** The current sessions, or those of the last reading while the server reports none. */
export function Sessions({ line, usage }: UsageProps) {
  const { t, i18n } = useTranslation('line');
  const { presence, read_at, sessions, can_end_sessions } = usage;
  const isKnown = presence.state !== 'unknown';
  const [endedAt, setEndedAt] = useState<string | null>(null);
  if (!isKnown && read_at === null) return null;
  // The button stays disabled until the next reading shows the result.
  const isEnded = endedAt !== null && endedAt === read_at;
  const title =
    isKnown && presence.connections > 0
      ? t('usage.nowConnections', {
          connections: t('presence.connections', { count: presence.connections }),
        })
      : t('field.now');
  return (
    <Card
      title={title}
      action={
        read_at && (
          <span className="text-text-2">
            {t(isKnown ? 'presence.asOf' : 'usage.lastRead', {
              time: formatSince(Date.parse(read_at), i18n.language),
            })}
          </span>
        )
      }
    >
      {sessions.length > 0 ? (
        <ul className="divided border border-divider-strong rounded-pop [&>li]:py-2 [&>li]:px-4">
          {sessions.map((session, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two sessions may be alike in everything
            <SessionRow key={index} session={session} isKnown={isKnown} />
          ))}
        </ul>
      ) : (
        <OnlineText presence={presence} />
      )}
      {isEnded && (
        <p className="mt-3" role="status">
          {t('usage.ended')}
        </p>
      )}
      {can_end_sessions && isKnown && presence.connections > 0 && !isEnded && (
        <EndButton line={line} count={presence.connections} onEnded={() => setEndedAt(read_at)} />
      )}
    </Card>
  );
}

function SessionRow({ session, isKnown }: { session: Session; isKnown: boolean }) {
  const { t, i18n } = useTranslation('line');
  const { duration } = useUsageTexts();
  const now = useMinute();
  const { protocol, network, since } = session;
  const minutes = since ? Math.max(0, Math.floor((now - Date.parse(since)) / 60_000)) : 0;
  return (
    <li className={`flex items-center gap-3 ${isKnown ? '' : 'text-text-2'}`}>
      <OnlineDot look={isKnown ? 'online' : 'unknown'} />
      <div className="flex-1 min-w-0 wrap-anywhere">
        <p>
          {protocol || t('usage.connection')}
          {network && (
            <>
              {' '}
              <span className="text-text-2">{t('usage.from')}</span> <bdi>{network}</bdi>
            </>
          )}
        </p>
        {since && (
          <p className="text-text-2 type-caption min-w-0 wrap-anywhere">
            {t('usage.since', {
              time: formatSince(Date.parse(since), i18n.language),
              duration: duration(minutes),
            })}
          </p>
        )}
      </div>
    </li>
  );
}

interface EndButtonProps extends Pick<UsageProps, 'line'> {
  count: number;
  onEnded: () => void;
}

function EndButton({ line, count, onEnded }: EndButtonProps) {
  const { t } = useTranslation('line');
  const { send, isPending } = useEndSessions(line);
  return (
    <div className="mt-3">
      <Button
        fullWidth
        icon={<LogOut />}
        pending={isPending}
        onClick={() => void send(undefined, { done: ({ finding }) => finding || onEnded() })}
      >
        {count === 1 ? t('presence.endSession') : t('usage.endAll', { count })}
      </Button>
    </div>
  );
}
