import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#kit/ui/card.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Divided, Muted, Row, Text } from '#kit/ui/vocabulary.tsx';
import styles from './access-card.module.css';

interface AccessCardProps {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A card of what gives access to the account: its sessions, its keys. */
export function AccessCard({ title, text, action, children }: AccessCardProps) {
  return (
    <Card flush>
      <Row gap="8 16" align="start" justify="between" wrap className={styles.heading}>
        <div>
          <h2>{title}</h2>
          {text && <Muted as="p">{text}</Muted>}
        </div>
        {action}
      </Row>
      {children}
    </Card>
  );
}

export function AccessRows({ children }: { children: ReactNode }) {
  return <Divided className={styles.rows}>{children}</Divided>;
}

interface AccessRowProps {
  icon: LucideIcon;
  name: string;
  text: ReactNode;
  /** Its buttons. */
  children: ReactNode;
}

export function AccessRow({ icon: Icon, name, text, children }: AccessRowProps) {
  return (
    <li>
      <Muted rigid className={styles.icon} aria-hidden="true">
        <Icon size={16} />
      </Muted>
      <Text grow wraps className={styles.texts}>
        <b>
          <TypedText>{name}</TypedText>
        </b>
        <Caption>{text}</Caption>
      </Text>
      {children}
    </li>
  );
}
