import {
  deleteRedeemCode,
  editRedeemCode,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { History, Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { ConfirmAction } from '../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { MoreMenu } from '../../shared/ui/overlays/more-menu.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { CodeHistoryDialog } from './code-history-dialog.tsx';
import { EditCodeDialog } from './edit-code-dialog.tsx';

/** Menu of a code: on and off, edit, history, delete. On a phone there is room for a button beside it. */
export function CodeActions({ row: stored }: { row: RedeemCode }) {
  const { t } = useTranslation('redeemCodes');
  const blocked = useNeedsConnection();
  const [asked, setAsked] = useState<'edit' | 'history' | 'delete' | null>(null);
  const isPhone = useIsPhone();
  const { id, code, is_active } = stored;
  const ofCode = { params: { id }, refreshes: ['redeem-codes'] } as const;
  const deletion = useCommand(deleteRedeemCode, ofCode);
  const edit = useCommand(editRedeemCode, {
    ...ofCode,
    done: () => toast.success(t(is_active ? 'turn.offDone' : 'turn.onDone', { code })),
  });
  const turn = () => void edit.send({ is_active: !is_active });
  const turnText = t(is_active ? 'turn.off' : 'turn.on');
  const close = () => setAsked(null);
  return (
    <>
      {isPhone && (
        <Button variant="soft" blocked={blocked} pending={edit.isPending} onClick={turn}>
          {turnText}
        </Button>
      )}
      <MoreMenu
        label={t('moreActions', { code })}
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
      {asked === 'edit' && <EditCodeDialog code={stored} onClose={close} />}
      {asked === 'history' && <CodeHistoryDialog code={stored} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmAction
          command={deletion}
          tone="danger"
          title={t('delete.title', { code })}
          text={t('delete.text')}
          confirmLabel={t('delete.confirm')}
          done={() => toast.success(t('delete.done', { code }))}
          onClose={close}
        />
      )}
    </>
  );
}
