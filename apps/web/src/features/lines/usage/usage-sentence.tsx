import { formatDay } from '@linekeeper/contract/dates.ts';
import { CircleHelp, OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerName } from '#domain/lines/sync.tsx';
import { BoldText } from '#kit/ui/bold-text.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { Caption, Row, Text } from '#kit/ui/vocabulary.tsx';
import { formatSince } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import styles from './usage.module.css';
import type { UsageProps } from './usage-props.ts';
import { useUsageTexts } from './use-usage-texts.ts';

/** One sentence where something is wrong, with what is usual beside it; nothing otherwise. */
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
      <Row align="start" gap={16} phoneGap={12} role="status">
        <IconTile tone={tone} isRound>
          {icon}
        </IconTile>
        <Text as="div" grow>
          <p className={styles.sentence}>
            <BoldText>{title}</BoldText>
          </p>
          <Caption as="p" wraps above={2}>
            {about}
          </Caption>
        </Text>
      </Row>
    </Card>
  );
}
