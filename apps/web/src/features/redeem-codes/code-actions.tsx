import type { RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { History, Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useSend } from '../../shared/forms/use-send.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { MoreMenu } from '../../shared/ui/overlays/more-menu.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { CodeHistoryDialog } from './code-history-dialog.tsx';
import { EditCodeDialog } from './edit-code-dialog.tsx';
import { useDeleteRedeemCode, useEditRedeemCode } from './queries.ts';

/** Menu of a code: on and off, edit, history, delete. On a phone there is room for a button beside it. */
export function CodeActions({ code }: { code: RedeemCode }) {
  const { t } = useTranslation('redeemCodes');
  const blocked = useNeedsConnection();
  const [asked, setAsked] = useState<'edit' | 'history' | 'delete' | null>(null);
  const isPhone = useIsPhone();
  const { turn, isPending } = useTurn(code);
  const turnText = t(code.is_active ? 'turn.off' : 'turn.on');
  return (
    <>
      {isPhone && (
        <Button variant="soft" blocked={blocked} pending={isPending} onClick={turn}>
          {turnText}
        </Button>
      )}
      <MoreMenu
        label={t('more', { code: code.code })}
        blocked={blocked}
        entries={[
          !isPhone && { name: 'turn', icon: Power, text: turnText, act: turn },
          { name: 'edit', icon: Pencil, text: t('edit.action'), act: () => setAsked('edit') },
          {
            name: 'history',
            icon: History,
            text: t('history.action'),
            act: () => setAsked('history'),
          },
          { name: 'delete', icon: Trash2, text: t('delete.action'), act: () => setAsked('delete') },
        ]}
      />
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
