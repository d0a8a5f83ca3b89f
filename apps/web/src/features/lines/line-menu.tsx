import type { Line } from '@linekeeper/contract/lines.ts';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Link } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  ClipboardCopy,
  Copy,
  KeyRound,
  Pencil,
  RefreshCw,
  Trash2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../shared/copy-text.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { paths } from '../../shared/paths.ts';
import { useMe } from '../../shared/session.ts';
import { toast } from '../../shared/ui/toast.ts';
import { credentialsOf } from './credentials.ts';
import type { LineAction } from './line-action.ts';
import styles from './line-menu.module.css';
import { useRevealLine } from './queries.ts';
import { useCredentialsText } from './use-credentials-text.ts';
import { useRetrySync } from './use-retry-sync.ts';

interface LineMenuProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
  onChoose: (action: LineAction) => void;
}

/** Copies something of a line and says so; the menu that was asked is gone by then. */
function useCopyOf(line: Line) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const credentialsText = useCredentialsText();
  const reveal = useRevealLine();
  const copy = async (getText: () => string | Promise<string>, done: string) => {
    try {
      await copyText(await getText());
      toast.success(done);
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  const { id, username } = line;
  return {
    copyUsername: () => copy(() => username, t('actions.usernameCopied', { username })),
    copyCredentials: () =>
      copy(
        async () => {
          const { password } = await reveal.mutateAsync(id);
          return credentialsText(credentialsOf(line, password));
        },
        t('actions.credentialsCopied', { username }),
      ),
  };
}

export function LineMenu({ line, anchor, onClose, onChoose }: LineMenuProps) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const { retry } = useRetrySync(line);
  const { copyUsername, copyCredentials } = useCopyOf(line);
  const icon = { size: 18, 'aria-hidden': true } as const;
  const afterClose = (action: () => Promise<void>) => () => {
    onClose();
    void action();
  };
  return (
    // Beside the list and not at the end of the page, so that it lies inside a landmark.
    <Menu
      open
      anchorEl={anchor}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      onClose={onClose}
      disablePortal
      disableRestoreFocus
      slotProps={{ list: { 'aria-label': t('actions.moreOf', { username: line.username }) } }}
    >
      <MenuItem component={Link} to={paths.editLine(line.id)}>
        <Pencil {...icon} />
        {t('actions.edit')}
      </MenuItem>
      <MenuItem onClick={() => onChoose('credentials')}>
        <KeyRound {...icon} />
        {t('actions.showCredentials')}
      </MenuItem>
      <MenuItem onClick={afterClose(copyCredentials)}>
        <ClipboardCopy {...icon} />
        {t('actions.copyCredentials')}
      </MenuItem>
      <MenuItem onClick={afterClose(copyUsername)}>
        <Copy {...icon} />
        {t('actions.copyUsername')}
      </MenuItem>
      <MenuItem onClick={afterClose(retry)}>
        <RefreshCw {...icon} />
        {t('actions.sync')}
      </MenuItem>
      {is_admin && (
        <MenuItem onClick={() => onChoose('move')}>
          <ArrowLeftRight {...icon} />
          {t('actions.move')}
        </MenuItem>
      )}
      <Divider component="li" />
      <MenuItem className={styles.danger ?? ''} onClick={() => onChoose('delete')}>
        <Trash2 {...icon} />
        {t('actions.delete')}
      </MenuItem>
    </Menu>
  );
}
