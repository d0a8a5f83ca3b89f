import type { RedeemCode } from '@linekeeper/contract/redeem-codes.ts';
import MenuItem from '@mui/material/MenuItem';
import { EllipsisVertical, History, Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../shared/forms/use-send.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { Menu } from '../../shared/ui/overlays.tsx';
import { toast } from '../../shared/ui/toasts/toast.ts';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { CodeHistoryDialog } from './code-history-dialog.tsx';
import { EditCodeDialog } from './edit-code-dialog.tsx';
import { useDeleteRedeemCode, useEditRedeemCode } from './queries.ts';

/** Menu of a code: on and off, edit, history, delete. On a phone there is room for a button beside it. */
export function CodeActions({ code }: { code: RedeemCode }) {
  const { t } = useTranslation('redeemCodes');
  const blocked = useNeedsConnection();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState<'edit' | 'history' | 'delete' | null>(null);
  const isPhone = useIsPhone();
  const { turn, isPending } = useTurn(code);
  const turnText = t(code.is_active ? 'turn.off' : 'turn.on');
  const choose = (act: () => void) => () => {
    setAnchor(null);
    act();
  };
  return (
    <>
      {isPhone && (
        <Button variant="soft" blocked={blocked} pending={isPending} onClick={turn}>
          {turnText}
        </Button>
      )}
      <IconButton
        label={t('more', { code: code.code })}
        size="small"
        blocked={blocked}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <EllipsisVertical size={18} aria-hidden="true" />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        onClose={() => setAnchor(null)}
      >
        {!isPhone && (
          <MenuItem onClick={choose(turn)}>
            <Power size={18} aria-hidden="true" />
            {turnText}
          </MenuItem>
        )}
        <MenuItem onClick={choose(() => setAsked('edit'))}>
          <Pencil size={18} aria-hidden="true" />
          {t('edit.action')}
        </MenuItem>
        <MenuItem onClick={choose(() => setAsked('history'))}>
          <History size={18} aria-hidden="true" />
          {t('history.action')}
        </MenuItem>
        <MenuItem onClick={choose(() => setAsked('delete'))}>
          <Trash2 size={18} aria-hidden="true" />
          {t('delete.action')}
        </MenuItem>
      </Menu>
      {asked === 'edit' && <EditCodeDialog code={code} onClose={() => setAsked(null)} />}
      {asked === 'history' && <CodeHistoryDialog code={code} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteCodeDialog code={code} onClose={() => setAsked(null)} />}
    </>
  );
}

function useTurn({ id, code, is_active }: RedeemCode) {
  const { t } = useTranslation('redeemCodes');
  const errorText = useErrorText();
  const { send, isPending } = useSend({
    send: useEditRedeemCode(id).mutateAsync,
    onSuccess: () => toast.success(t(is_active ? 'turn.offDone' : 'turn.onDone', { code })),
    onRefused: (error) => toast.error(errorText(error)),
  });
  return { turn: () => void send({ is_active: !is_active }), isPending };
}

interface DialogProps {
  code: RedeemCode;
  onClose: () => void;
}

function DeleteCodeDialog({ code: { id, code }, onClose }: DialogProps) {
  const { t } = useTranslation('redeemCodes');
  const errorText = useErrorText();
  const deletion = useSend({
    send: useDeleteRedeemCode(id).mutateAsync,
    onSuccess: () => {
      onClose();
      toast.success(t('delete.done', { code }));
    },
    onRefused: (error) => toast.error(errorText(error)),
  });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('delete.title', { code })}
      text={t('delete.text')}
      confirmLabel={t('delete.confirm')}
      pending={deletion.isPending}
      onConfirm={() => void deletion.send({})}
      onClose={onClose}
    />
  );
}
