import { showDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import { Command } from 'cmdk';
import { Route } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../shared/ui/badge.tsx';
import { Highlight } from './highlight.tsx';
import { useLineStatus } from './line-status.ts';
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
  const statusOf = useLineStatus();
  if (lines.length === 0) return null;
  return (
    <Command.Group heading={t('lines')}>
      {lines.map((line) => {
        const status = statusOf(line);
        return (
          <Command.Item
            key={line.id}
            value={lineValue(line)}
            // A click on another line chooses it and shows its actions; the keys have chosen it already.
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
            {status && <Badge tone={status.tone}>{status.text}</Badge>}
            <span className={styles.expiry}>{showDay(line.expiry_date)}</span>
          </Command.Item>
        );
      })}
    </Command.Group>
  );
}
