import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogContent } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { Dialog } from '#kit/overlays/overlays.tsx';
import { useCloseOnNavigation } from '#kit/overlays/use-close-on-navigation.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useControlKey } from '#platform/browser/control-key.ts';

export function ShortcutsDialog({ canSell, onClose }: { canSell: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const control = useControlKey();
  useCloseOnNavigation(true, onClose);
  const keys = [
    { keys: `${control} K`, text: t('header.search') },
    ...(canSell
      ? [
          { keys: '/', text: t('shortcuts.search') },
          { keys: 'n', text: t('shortcuts.addLine') },
          { keys: 'j k', text: t('shortcuts.walk') },
          { keys: 'x', text: t('shortcuts.mark') },
          { keys: 'e', text: t('shortcuts.edit') },
        ]
      : []),
    { keys: 'z', text: t('shortcuts.undo') },
    { keys: '?', text: t('shortcuts.help') },
    { keys: 'Esc', text: t('shortcuts.close') },
  ];
  return (
    <Dialog open onClose={onClose} aria-labelledby={id}>
      <DialogContent width={440}>
        <h2 id={id}>{t('shortcuts.title')}</h2>
        <dl className="grid grid-cols-1 mt-4 [&>div]:min-h-10 [&_dt]:w-18 [&_kbd]:py-0.5 [&_kbd]:px-2">
          {keys.map((row) => (
            <div className="flex items-center gap-4" key={row.keys}>
              <dt>
                <kbd>{row.keys}</kbd>
              </dt>
              <dd>{row.text}</dd>
            </div>
          ))}
        </dl>
        <div className="flex items-center flex-wrap justify-between gap-4 mt-6">
          <Link to="/settings" className="link" onClick={onClose}>
            {t('shortcuts.turnOff')}
          </Link>
          <Button autoFocus onClick={onClose}>
            {t('action.close')}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
