import type { Line } from '@linekeeper/contract/lines.ts';
import { EllipsisVertical } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonLook } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import type { LineAction } from './line-action.ts';
import { useLineActions } from './line-actions.tsx';

function useOpener(line: Line, action: LineAction) {
  const { opened, open } = useLineActions();
  return {
    'aria-expanded': opened?.line.id === line.id && opened.action === action,
    onClick: ({ currentTarget }: { currentTarget: HTMLElement }) =>
      open({ action, line, anchor: currentTarget }),
  };
}

export function RenewButton({ line, ...look }: { line: Line } & ButtonLook) {
  const { t } = useTranslation('lines');
  return (
    <Button
      {...look}
      aria-label={t('renew.of', { username: line.username })}
      aria-haspopup="dialog"
      {...useOpener(line, 'renew')}
    >
      {t('renew.renew')}
    </Button>
  );
}

export function MoreButton({ line, size }: { line: Line; size: 'tiny' | 'medium' }) {
  const { t } = useTranslation('lines');
  return (
    <IconButton
      size={size}
      label={t('actions.moreOf', { username: line.username })}
      aria-haspopup="menu"
      {...useOpener(line, 'menu')}
    >
      <EllipsisVertical size={size === 'tiny' ? 18 : 20} aria-hidden="true" />
    </IconButton>
  );
}
