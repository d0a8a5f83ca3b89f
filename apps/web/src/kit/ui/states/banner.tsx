import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Row, Text } from '#kit/ui/vocabulary.tsx';
import styles from './banner.module.css';

export type BannerTone = 'success' | 'warning' | 'error' | 'info';

interface BannerProps {
  tone: BannerTone;
  title: ReactNode;
  children?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
  /** True to announce the banner at once, for errors. */
  isAlert?: boolean;
}

const icons = {
  success: CircleCheck,
  warning: TriangleAlert,
  error: CircleAlert,
  info: Info,
};

export function Banner({ tone, title, children, icon, action, isAlert }: BannerProps) {
  const Icon = icons[tone];
  return (
    <Row
      align="start"
      gap={12}
      className={styles.banner}
      data-tone={tone}
      role={isAlert ? 'alert' : undefined}
    >
      <span className={styles.icon} aria-hidden="true">
        {icon ?? <Icon />}
      </span>
      <Text as="div" grow wraps className={styles.text}>
        <Text as="p" semibold>
          {title}
        </Text>
        {children}
      </Text>
      {action && (
        <Text as="div" rigid className={styles.action}>
          {action}
        </Text>
      )}
    </Row>
  );
}
