import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import {
  confirmServerDay,
  type Reload,
  type Server,
} from '@linekeeper/contract/servers/servers.ts';
import { Link } from '@tanstack/react-router';
import { CalendarClock, ClockAlert } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useFindingText } from '../../shared/i18n/use-finding-text.ts';
import { ReadAgainButton } from '../../shared/not-taken/read-again-button.tsx';
import { isNotTaken, useNotTakenTexts } from '../../shared/not-taken/use-not-taken-texts.ts';
import { ArticleLink } from '../../shared/ui/article-link.tsx';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { Banner } from '../../shared/ui/states/banner.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Caption, Row, Text } from '../../shared/ui/vocabulary.tsx';
import styles from './servers.module.css';

const NAMES_SHOWN = 3;

type Says = 'cannotConnect' | 'stillConnect';

/** Why it was not taken and since when, and which lines can still or cannot connect until then. */
function Details({ reload }: { reload: Reload }) {
  const { reason, since } = useNotTakenTexts()(reload);
  const { names, cannot_connect, still_names, still_connect } = reload;
  return (
    <>
      <p>
        {reason} {since}
      </p>
      <Names names={still_names} count={still_connect} says="stillConnect" />
      <Names names={names} count={cannot_connect} says="cannotConnect" />
    </>
  );
}

/** The first names, with a sentence about them and how many more there are. */
function Names({ names, count, says }: { names: string[]; count: number; says: Says }) {
  const { t } = useTranslation();
  const shown = names.slice(0, NAMES_SHOWN);
  if (shown.length === 0) return null;
  const more = count - shown.length;
  return (
    <Text as="p" above={4}>
      {shown.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <Link className={styles.waitingName} to="/users/all" search={{ q: name }}>
            <TypedText>{name}</TypedText>
          </Link>
        </Fragment>
      ))}{' '}
      {more > 0
        ? t(says === 'cannotConnect' ? 'notTaken.moreCannotConnect' : 'notTaken.moreStillConnect', {
            count: more,
          })
        : t(`notTaken.${says}`, { count: shown.length })}
    </Text>
  );
}

const titleOf = ({ code }: Finding) =>
  code === 'DAY_HELD' ? 'notTaken.dayHeld' : 'notTaken.anotherDay';

/** Where an agent waits with its date, because it is far from the one before or from the panel's. */
function ConfirmDay({ server, finding }: { server: Server; finding: Finding }) {
  const { t } = useTranslation();
  const { id, server_name: name } = server;
  const { code, data } = finding;
  const confirm = useCommand(confirmServerDay, {
    params: { id },
    refreshes: ['servers'],
    isRepeatable: true,
    doneText: () => t('notTaken.dayConfirmed', { name }),
  });
  const day = data.day ?? '';
  if (code !== 'DAY_HELD') return null;
  return (
    <Button size="small" pending={confirm.isPending} onClick={() => void confirm.send({ day })}>
      {t('notTaken.confirmDay', { day: formatDay(day) })}
    </Button>
  );
}

/** On a server's card: what was delivered and not yet taken, and a day that is another. */
export function AgentWarnings({ server }: { server: Server }) {
  const { t } = useTranslation();
  const findingText = useFindingText();
  const texts = useNotTakenTexts();
  const { reload, day_finding } = server;
  return (
    <>
      {reload && isNotTaken(server) && (
        <Row align="stretch" wraps className={styles.problem} data-tone="warning">
          <ClockAlert size={18} />
          <div>
            <p>{texts(reload).title}</p>
            <Caption above={4} as="div">
              <Details reload={reload} />
            </Caption>
            <ReadAgainButton server={server} />
          </div>
        </Row>
      )}
      {day_finding && (
        <Row align="stretch" wraps className={styles.problem} data-tone="warning">
          <CalendarClock size={18} />
          <div>
            <p>{t(titleOf(day_finding))}</p>
            <Caption above={4} as="p">
              {findingText(day_finding)}
            </Caption>
            <ConfirmDay server={server} finding={day_finding} />
          </div>
        </Row>
      )}
    </>
  );
}

function HowToTell() {
  const { t } = useTranslation('servers');
  return (
    <>
      <p>{t('nobodyTells.howTo')}</p>
      <p>
        <ArticleLink title={t('article')} />
      </p>
    </>
  );
}

/** Warnings above a server's form: what its agent did not take, and how to set what nobody has set yet. */
export function AgentBanners({ server }: { server: Server }) {
  const { t } = useTranslation();
  const { t: own } = useTranslation('servers');
  const findingText = useFindingText();
  const texts = useNotTakenTexts();
  const { reload, day_finding } = server;
  const isUnset = reload?.finding?.data.cause === 'NOT_CONFIGURED';
  return (
    <>
      {reload && isNotTaken(server) && (
        <div className={styles.banner} role="status">
          <Banner
            tone="warning"
            icon={<ClockAlert />}
            title={texts(reload).title}
            action={<ReadAgainButton server={server} />}
          >
            <Details reload={reload} />
            {isUnset && <HowToTell />}
          </Banner>
        </div>
      )}
      {reload && isUnset && !isNotTaken(server) && (
        <div className={styles.banner}>
          <Banner tone="info" title={own('nobodyTells.title')}>
            <p>{findingText(reload.finding)}</p>
            <HowToTell />
          </Banner>
        </div>
      )}
      {day_finding && (
        <div className={styles.banner}>
          <Banner
            tone="warning"
            icon={<CalendarClock />}
            title={t(titleOf(day_finding))}
            action={<ConfirmDay server={server} finding={day_finding} />}
          >
            <p>{findingText(day_finding)}</p>
            <p>
              <ArticleLink title={own('article')} />
            </p>
          </Banner>
        </div>
      )}
    </>
  );
}
