import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Row, Text } from '#kit/ui/vocabulary.tsx';
import styles from './banner.module.css';

interface BannerStripProps {
  tone: 'warning' | 'error';
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action: ReactNode;
  /** True if the action takes it away. */
  isClosable?: boolean;
}

/** A banner above all of the page. */
export function BannerStrip(props: BannerStripProps) {
  const { tone, icon: Icon, title, children, action, isClosable } = props;
  return (
    <Row
      gap={12}
      className={styles.strip}
      data-tone={tone}
      data-closes={isClosable || undefined}
      role="status"
    >
      <Icon size={18} />
      <Text grow wraps className={styles.text}>
        <b className="type-strong">{title}</b> {children}
      </Text>
      {action}
    </Row>
  );
}
