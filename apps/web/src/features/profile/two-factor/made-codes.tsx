import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export function MadeCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('twoFactor');
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="grid grid-cols-1 gap-3 pt-4 border-t border-t-divider">
      <p ref={title} tabIndex={-1} className="[outline:0] type-strong">
        {t('madeCodes')}
      </p>
      <p className="text-text-2 -mt-3">{t('keepText')}</p>
      <RecoveryCodes codes={codes} />
      <div className="flex flex-wrap items-stretch gap-2">
        <Button variant="solid" onClick={onClose}>
          {t('recurring.done')}
        </Button>
      </div>
    </div>
  );
}
