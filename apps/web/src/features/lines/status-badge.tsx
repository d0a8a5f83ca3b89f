import type { Line } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../shared/settings.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import styles from './cells.module.css';
import { lineStatus } from './line-status.ts';

const translated = ['active', 'inactive', 'expired', 'suspended', 'trial'] as const;

/** A label in the reader's language; one's own words stay as they are. */
export function useStatusText(): (label: string) => string {
  const { t } = useTranslation('lines');
  return (label) => {
    const known = translated.find((name) => name === label.toLowerCase());
    return known ? t(`status.${known}`) : label;
  };
}

/** The first label, and how many more there are. */
export function StatusBadge({ line }: { line: Line }) {
  const statusText = useStatusText();
  const { label, color } = lineStatus(line, useToday());
  const others = line.status.slice(1).map((item) => statusText(item.label));
  return (
    <span className={styles.status}>
      <Badge tone={color}>{statusText(label)}</Badge>
      {others.length > 0 && (
        <span className={styles.more} title={others.join(', ')}>
          +{others.length}
          <span className="visually-hidden"> {others.join(', ')}</span>
        </span>
      )}
    </span>
  );
}
