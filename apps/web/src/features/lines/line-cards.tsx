import type { Line } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { CopyCredentialsButton } from './copy-credentials-button.tsx';
import { credentialsOf } from './credentials.ts';
import { ExpiryBadge } from './expiry-badge.tsx';
import styles from './line-cards.module.css';
import { useRevealLine } from './queries.ts';
import { MoreButton, RenewButton } from './row-buttons.tsx';
import { SelectLine } from './select-boxes.tsx';
import { StatusBadge } from './status-badge.tsx';
import { NotOnServer, Sending, useServerName } from './sync-chip.tsx';
import { useRetrySync } from './use-retry-sync.ts';
import { useSelection } from './use-selection.tsx';

/** The list on a phone. */
export function LineCards({ lines }: { lines: Line[] }) {
  const { t } = useTranslation('lines');
  return (
    <ul className={styles.cards} aria-label={t('title')}>
      {lines.map((line) => (
        <LineCard key={line.id} line={line} lines={lines} />
      ))}
    </ul>
  );
}

function LineCard({ line, lines }: { line: Line; lines: Line[] }) {
  const { isSelected } = useSelection();
  const serverName = useServerName(line.server_id);
  return (
    <Card as="li" className={styles.card} data-selected={isSelected(line.id) || undefined}>
      <SelectLine line={line} lines={lines} />
      <div className={styles.head}>
        <b>{line.username}</b>
        <StatusBadge line={line} />
      </div>
      <div className={styles.expiry}>
        <ExpiryBadge day={line.expiry_date} />
        <span className={styles.server}>
          {serverName} {line.sync_state === 'pending' && <Sending />}
        </span>
      </div>
      {line.sync_state === 'failed' && <RetryLine line={line} />}
      <CardActions line={line} />
    </Card>
  );
}

function RetryLine({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const { retry, isPending } = useRetrySync(line);
  return (
    <div className={styles.retry}>
      <NotOnServer line={line} />
      <Button
        variant="text"
        size="small"
        aria-label={t('sync.retryOf', { username: line.username })}
        aria-busy={isPending || undefined}
        onClick={retry}
      >
        {t('sync.retry')}
      </Button>
    </div>
  );
}

function CardActions({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const { mutateAsync: reveal } = useRevealLine();
  return (
    <div className={styles.actions}>
      <RenewButton line={line} variant="soft" />
      <CopyCredentialsButton
        label={t('copyCredentialsOf', { username: line.username })}
        getCredentials={async () => credentialsOf(line, (await reveal(line.id)).password)}
      >
        {t('copy')}
      </CopyCredentialsButton>
      <MoreButton line={line} size="medium" />
    </div>
  );
}

const skeletonCards = Array.from({ length: 5 }, (_, index) => index);

/** In place of cards that take longer than a moment; not visible, they only keep the room. */
export function SkeletonCards({ isVisible }: { isVisible: boolean }) {
  return (
    <ul className={styles.cards} aria-hidden="true" data-hidden={!isVisible || undefined}>
      {skeletonCards.map((card) => (
        <Card as="li" key={card} className={styles.card}>
          <div className={styles.head}>
            <span className={styles.bone} />
            <span className={styles.bone} data-shape="badge" />
          </div>
          <div className={styles.expiry}>
            <span className={styles.bone} />
            <span className={styles.bone} data-shape="words" />
            <span className={styles.bone} />
          </div>
          <div className={styles.actions}>
            <span className={styles.bone} data-shape="button" />
            <span className={styles.bone} data-shape="button" />
            <span className={styles.bone} data-shape="more" />
          </div>
        </Card>
      ))}
    </ul>
  );
}
