import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { publicSettingsQuery } from '#platform/data/settings.ts';

/** The legal notice of the panel, folded. Renders nothing without a notice. */
export function LegalNotice() {
  const { t } = useTranslation();
  const { data } = useQuery(publicSettingsQuery());
  if (!data?.legal_notice) return null;
  return (
    <div className="relative max-w-[min(720px,100%)] bg-canvas type-caption">
      <details>
        <summary className="w-fit py-1 px-0 text-text-2 font-medium list-none underline cursor-pointer [&::-webkit-details-marker]:hidden phone:py-3 phone:px-0">
          {t('legalNotice')}
        </summary>
        <p className="mt-1 text-text-2 wrap-anywhere whitespace-pre-line">
          <TypedText>{data.legal_notice}</TypedText>
        </p>
      </details>
    </div>
  );
}
