import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { publicSettingsQuery } from '../settings.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';

const LegalNoticeDialog = lazyComponent(
  async () => (await import('./legal-notice-dialog.tsx')).LegalNoticeDialog,
);

/** A link to the legal notice; nothing where there is none. */
export function LegalNotice({ className }: { className?: string | undefined }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(publicSettingsQuery());
  if (!data?.legal_notice) return null;
  return (
    <footer className={className}>
      <button type="button" className="link" onClick={() => setOpen(true)}>
        {t('legalNotice')}
      </button>
      {isOpen && <LegalNoticeDialog text={data.legal_notice} onClose={() => setOpen(false)} />}
    </footer>
  );
}
