import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { publicSettingsQuery } from '#platform/data/settings.ts';

/** The legal notice of the panel, folded. Renders nothing if there is none. */
export function LegalNotice() {
  const { t } = useTranslation();
  const { data } = useQuery(publicSettingsQuery());
  if (!data?.legal_notice) return null;
  return (
    <div className="relative max-w-[min(720px,100%)] bg-canvas type-caption [&_summary]:w-fit [&_summary]:py-1 [&_summary]:px-0 [&_summary]:text-text-2 [&_summary]:font-medium [&_summary]:list-none [&_summary]:underline [&_summary]:cursor-pointer [&_summary::-webkit-details-marker]:hidden [&_p]:mt-1 [&_p]:text-text-2 [&_p]:wrap-anywhere [&_p]:whitespace-pre-line phone:[&_summary]:py-3 phone:[&_summary]:px-0">
      <details>
        <summary>{t('legalNotice')}</summary>
        <p>
          <TypedText>{data.legal_notice}</TypedText>
        </p>
      </details>
    </div>
  );
}
