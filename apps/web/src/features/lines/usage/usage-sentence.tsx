import { formatDay } from '@linekeeper/contract/dates.ts';
import { CircleHelp, OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerName } from '#domain/lines/sync.tsx';
import { BoldText } from '#kit/ui/bold-text.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { formatSince } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import type { UsageProps } from './usage-props.ts';
import { useUsageTexts } from './use-usage-texts.ts';

/**
 * A warning above the usage of a line: its server does not report its sessions, or refuses more
 * requests than usual. Renders nothing if neither is true.
 */
export function UsageSentence({ line, usage }: UsageProps) {
  const { t, i18n } = useTranslation('line');
  const { share } = useUsageTexts();
  const server = isolate(useServerName(line.server_id));
  const since = (moment: string) => formatSince(Date.parse(moment), i18n.language);
  const { presence, refusals } = usage;
  if (presence.state === 'unknown') {
    return (
      <Sentence
        tone="neutral"
        icon={<CircleHelp size={20} />}
        title={
          presence.since
            ? t('presence.unknownSince', { time: since(presence.since) })
            : t('usage.neverSaid')
        }
        about={t('usage.serverSilent', { server, day: formatDay(line.expiry_date) })}
      />
    );
  }
  if (!refusals) return null;
  return (
    <Sentence
      tone="warning"
      icon={<OctagonAlert size={20} />}
      title={t('usage.refusedSince', { share: share(refusals.share), time: since(refusals.since) })}
      about={[
        refusals.usual !== null && t('usage.usually', { share: share(refusals.usual) }),
        refusals.server_share !== null &&
          t('usage.ofServer', { server, share: share(refusals.server_share) }),
      ]
        .filter(Boolean)
        .join(' ')}
    />
  );
}

interface SentenceProps {
  tone: 'neutral' | 'warning';
  icon: ReactNode;
  title: string;
  about: string;
}

function Sentence({ tone, icon, title, about }: SentenceProps) {
  return (
    <Card as="div">
      <div className="flex items-start gap-4 phone:gap-3" role="status">
        <IconTile tone={tone} isRound>
          {icon}
        </IconTile>
        <div className="flex-1 min-w-0">
          <p className="type-card text-balance [&_b]:font-bold">
            <BoldText>{title}</BoldText>
          </p>
          <p className="mt-0.5 text-text-2 type-caption min-w-0 wrap-anywhere">{about}</p>
        </div>
      </div>
    </Card>
  );
}
