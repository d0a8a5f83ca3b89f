import type { Line } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../shared/settings.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { lineStatus } from './line-status.ts';

const translated = ['active', 'inactive', 'expired', 'suspended', 'trial'] as const;

export function StatusBadge({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const { label, color } = lineStatus(line, useToday());
  const known = translated.find((name) => name === label.toLowerCase());
  return <Badge tone={color}>{known ? t(`status.${known}`) : label}</Badge>;
}
