import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { ShieldX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCodeText } from '../shared/i18n/use-error-text.ts';
import { PageHeader } from '../shared/layout/page-header.tsx';
import { ButtonLink } from '../shared/ui/buttons/button-link.tsx';
import { Card } from '../shared/ui/card.tsx';
import { EmptyPanel } from '../shared/ui/states/empty-panel.tsx';

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
