import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import type { LinePart } from '../../../screens/line-screens.ts';
import { useIsPhone } from '../../../shared/browser/use-is-phone.ts';
import { FootBar } from '../../../shared/layout/foot-bar.tsx';
import { useGetCredentials } from '../../../shared/lines/credentials.tsx';
import { Receivers } from '../../../shared/lines/receivers/receivers.tsx';
import { ShareButton } from '../../../shared/lines/share-button.tsx';
import { useReveal } from '../../../shared/lines/use-reveal.ts';
import { InTurn } from '../../../shared/start/later.tsx';
import { lazyPart } from '../../../shared/start/lazy-part.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Row, Stack, Text } from '../../../shared/ui/vocabulary.tsx';
import { Credentials } from './credentials-card.tsx';
import styles from './line.module.css';
import { Notes } from './notes-card.tsx';
import { QuietActions } from './quiet-actions.tsx';
import { RenewBar, RenewCard } from './renew-card.tsx';
import { StateSentence } from './state-sentence.tsx';
import { useLineFacts } from './use-line-facts.ts';
import { bestOf, useWaysOut, WayButton, WhatToDo } from './what-to-do.tsx';

const History = lazyPart(() => import('./history/history.tsx'), 'History', {
  texts: 'activity',
  isPart: true,
  before: () => <div className={styles.historyRoom} aria-hidden="true" />,
});
const LineUsage = lazyPart(() => import('../usage/usage.tsx'), 'LineUsage', {
  isPart: true,
  before: () => <div className={styles.historyRoom} aria-hidden="true" />,
});
const EditLine = lazyPart(() => import('../edit/edit-line.tsx'), 'EditLine', {
  texts: 'lines',
  isPart: true,
});

interface PartProps {
  line: Line;
  part: LinePart;
  /** Leads back to what the line has at a glance. */
  onLeaveEdit: () => void;
}

/** A part of a line in the panel, one below the other. */
export function LinePanelBody({ line, part, onLeaveEdit }: PartProps) {
  if (part === 'overview') return <PanelOverview line={line} />;
  if (part === 'usage') return <LineUsage line={line} isPage={false} />;
  return <OtherPart line={line} part={part} onLeaveEdit={onLeaveEdit} />;
}

/** A part of a line on its page, in cards. */
export function LinePageBody({ line, part, onLeaveEdit }: PartProps) {
  const isPhone = useIsPhone();
  if (part === 'usage') return <LineUsage line={line} isPage />;
  if (part !== 'overview') {
    return (
      <Card className="form-width">
        <OtherPart line={line} part={part} onLeaveEdit={onLeaveEdit} />
      </Card>
    );
  }
  return isPhone ? <PhoneOverview line={line} /> : <PageOverview line={line} />;
}

function OtherPart({ line, part, onLeaveEdit }: PartProps) {
  return part === 'receiver' ? (
    <Receivers line={line} />
  ) : (
    <EditLine line={line} onLeave={onLeaveEdit} />
  );
}

function PanelOverview({ line }: { line: Line }) {
  const facts = useLineFacts(line);
  const hasBest = bestOf(useWaysOut(line, facts)) !== undefined;
  return (
    <Stack gap={24}>
      <StateSentence line={line} facts={facts} />
      <WhatToDo line={line} facts={facts} />
      <Credentials line={line} server={facts.server} />
      {!hasBest && <RenewCard line={line} />}
      <Notes line={line} />
      <Past line={line} />
    </Stack>
  );
}

/** True where renewing is among the quiet actions, because something else comes first. */
export function useHasQuietRenew(line: Line): boolean {
  return bestOf(useWaysOut(line, useLineFacts(line))) !== undefined;
}

function Past({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  return (
    <section aria-label={t('history.title')}>
      <Text as="h2" below={8} className={styles.title}>
        {t('history.title')}
      </Text>
      <History line={line} />
    </section>
  );
}

function PageOverview({ line }: { line: Line }) {
  const facts = useLineFacts(line);
  return (
    <div className={styles.page}>
      <Card as="div" className={styles.wide}>
        <Stack gap={24}>
          <StateSentence line={line} facts={facts} />
          <WhatToDo line={line} facts={facts} />
        </Stack>
      </Card>
      <Stack gap={24}>
        <Card as="div">
          <Credentials line={line} server={facts.server} />
        </Card>
        <Card as="div">
          <RenewCard line={line} />
        </Card>
      </Stack>
      <Stack gap={24}>
        <Notes line={line} />
        <Card as="div">
          <Past line={line} />
        </Card>
      </Stack>
    </div>
  );
}

function PhoneOverview({ line }: { line: Line }) {
  const facts = useLineFacts(line);
  const ways = useWaysOut(line, facts);
  const best = bestOf(ways);
  const { t } = useTranslation('line');
  return (
    <>
      <Stack gap={8}>
        <Card as="div">
          <StateSentence line={line} facts={facts} />
        </Card>
        <InTurn>
          {ways.length > 0 && (
            <Card as="div">
              <WhatToDo line={line} facts={facts} atFoot={best} />
            </Card>
          )}
          <Card as="div">
            <Credentials line={line} server={facts.server} />
          </Card>
          <Row gap={8} justify="center" wrap>
            <QuietActions line={line} hasRenew={best !== undefined} />
          </Row>
          <Notes line={line} />
          <Card as="div">
            <Past line={line} />
          </Card>
        </InTurn>
      </Stack>
      {best ? (
        <FootBar label={t('actions')}>
          <WayButton way={best} line={line} facts={facts} variant="solid" />
          <ShareCredentials line={line} />
        </FootBar>
      ) : (
        <RenewBar line={line} />
      )}
    </>
  );
}

function ShareCredentials({ line }: { line: Line }) {
  const { getPassword } = useReveal(line.id);
  const getCredentials = useGetCredentials();
  return <ShareButton getText={() => getCredentials(line, getPassword)} />;
}
