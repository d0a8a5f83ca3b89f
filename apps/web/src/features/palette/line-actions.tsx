import type { Line } from '@linekeeper/contract/lines.ts';
import { Command } from 'cmdk';
import { Copy, KeyRound, List, type LucideIcon, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import styles from './palette.module.css';
import { useLineActions } from './use-line-actions.ts';

interface LineActionsProps {
  line: Line;
  onOpen: (line: Line) => void;
  onClose: () => void;
}

interface ActionProps {
  name: string;
  icon: LucideIcon;
  text: string;
  onSelect: () => void;
}

function Action({ name, icon: Icon, text, onSelect }: ActionProps) {
  return (
    <Command.Item value={`action:${name}`} onSelect={onSelect}>
      <Icon size={20} aria-hidden="true" />
      <span className={styles.name}>{text}</span>
    </Command.Item>
  );
}

export function LineActions({ line, onOpen, onClose }: LineActionsProps) {
  const { t } = useTranslation('palette');
  const { copyUsername, copyPassword, retrySync } = useLineActions(line, onClose);
  return (
    <Command.Group heading={t('actionsFor', { username: line.username })}>
      <Action name="open" icon={List} text={t('actions.open')} onSelect={() => onOpen(line)} />
      <Action
        name="copy-username"
        icon={Copy}
        text={t('actions.copyUsername')}
        onSelect={copyUsername}
      />
      <Action
        name="copy-password"
        icon={KeyRound}
        text={t('actions.copyPassword')}
        onSelect={copyPassword}
      />
      {line.sync_state !== 'synced' && (
        <Action
          name="retry-sync"
          icon={RefreshCw}
          text={t('actions.retrySync')}
          onSelect={retrySync}
        />
      )}
    </Command.Group>
  );
}
