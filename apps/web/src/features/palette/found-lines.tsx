import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { Command } from 'cmdk';
import { Route } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../shared/lines/status.tsx';
import { Highlight } from '../../shared/ui/highlight.tsx';
import styles from './palette.module.css';
import { lineValue } from './use-highlight.ts';

interface FoundLinesProps {
  lines: readonly Line[];
  query: string;
  chosen: Line | undefined;
  onOpen: (line: Line) => void;
}

export function FoundLines({ lines, query, chosen, onOpen }: FoundLinesProps) {
  const { t } = useTranslation('palette');
  if (lines.length === 0) return null;
  return (
    <Command.Group heading={t('lines')}>
      {lines.map((line) => (
        <Command.Item
          key={line.id}
          value={lineValue(line)}
          // The first click selects a line and shows its actions. With the keyboard the line is
          // selected already, so Enter opens it.
          onSelect={() => line.id === chosen?.id && onOpen(line)}
        >
          <Route size={20} aria-hidden="true" />
          <span className={styles.name}>
            <b>
              <Highlight text={line.username} part={query} />
            </b>
            {line.name && (
              <>
                {' '}
                <span className={styles.quiet}>
                  <Highlight text={line.name} part={query} />
                </span>
              </>
            )}
          </span>
          <StatusBadge line={line} />
          <span className={styles.expiry}>{formatDay(line.expiry_date)}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
