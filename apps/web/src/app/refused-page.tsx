import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { ShieldX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#kit/page/page-header.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { useCodeText } from '#platform/i18n/use-error-text.ts';

export function RefusedPage({ refusal }: { refusal: ErrorCode }) {
  const { t } = useTranslation();
  const codeText = useCodeText();
  return (
    <>
      <PageHeader title={t('refused.title')} back={null} />
      <Card flush>
        <EmptyPanel
          icon={<ShieldX />}
          title={codeText(refusal)}
          action={<ButtonLink to="/">{t('notFound.home')}</ButtonLink>}
        />
      </Card>
    </>
  );
}
