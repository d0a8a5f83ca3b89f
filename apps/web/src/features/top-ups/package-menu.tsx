import {
  type CreditPackage,
  deletePackage,
  editPackage,
} from '@linekeeper/contract/credits/top-ups.ts';
import { Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { toast } from '../../shared/state/toast.ts';
import { MoreMenu } from '../../shared/ui/overlays/more-menu.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { PackageDialog } from './package-dialog.tsx';

/** Edit, on and off, delete. */
export function PackageMenu({ offer }: { offer: CreditPackage }) {
  const { t } = useTranslation('topUps');
  const blocked = useNeedsConnection();
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const { id, is_active } = offer;
  const name = offer.name;
  const ofPackage = { params: { id }, refreshes: ['packages'] } as const;
  const deletion = useCommand(deletePackage, ofPackage);
  const turning = useCommand(editPackage, {
    ...ofPackage,
    done: () => toast.success(t('package.saved', { name })),
  });
  const close = () => setAsked(null);
  return (
    <>
      <MoreMenu
        label={t('moreOf', { name })}
        blocked={blocked}
        entries={[
          { name: 'edit', icon: Pencil, text: t('action.edit'), act: () => setAsked('edit') },
          {
            name: 'turn',
            icon: Power,
            text: t(is_active ? 'package.turnOff' : 'package.turnOn'),
            act: () => void turning.send({ is_active: !is_active }),
          },
          {
            name: 'delete',
            icon: Trash2,
            text: t('action.delete'),
            act: () => setAsked('delete'),
          },
        ]}
      />
      {asked === 'edit' && <PackageDialog stored={offer} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmAction
          command={deletion}
          tone="danger"
          title={t('package.deleteTitle', { name })}
          text={t('package.deleteText')}
          confirmLabel={t('package.deleteConfirm')}
          done={() => toast.success(t('package.deleted', { name }))}
          onClose={close}
        />
      )}
    </>
  );
}
