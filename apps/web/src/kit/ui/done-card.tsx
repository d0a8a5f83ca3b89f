import { Check, Clock } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Card } from './card.tsx';
import styles from './done-card.module.css';
import { IconTile } from './icon-tile.tsx';
import { Muted, Row, Text } from './vocabulary.tsx';

interface DoneCardProps {
  titleId: string;
  title: string;
  /** Amber until what was made is in effect. */
  isWaiting?: boolean;
  summary: ReactNode;
  /** At the end of the title's line. */
  aside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** What a form has made, in its place; the title takes the focus, so that it is read out first. */
export function DoneCard(props: DoneCardProps) {
  const { titleId, title, isWaiting, summary, aside, actions, children } = props;
  const Icon = isWaiting ? Clock : Check;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The page's head belongs to it, which the focus alone would leave below the sticky header.
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  return (
    <Card className="form-width" aria-labelledby={titleId}>
      <Row align="start" gap={16} below={24}>
        <IconTile tone={isWaiting ? 'warning' : 'success'} isRound>
          <Icon size={20} />
        </IconTile>
        <Text as="div" grow>
          <h2 className={styles.title} id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <Muted as="p">{summary}</Muted>
        </Text>
        {aside}
      </Row>
      {children}
      {actions && (
        <Row align="stretch" gap={8} wrap above={24} className={styles.actions}>
          {actions}
        </Row>
      )}
    </Card>
  );
}
