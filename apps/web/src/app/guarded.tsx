import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Access } from '@linekeeper/contract/permissions.ts';
import { Outlet } from '@tanstack/react-router';
import { ShieldX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCodeText } from '../shared/i18n/use-error-text.ts';
import { paths } from '../shared/paths.ts';
import { useCan } from '../shared/session.ts';
import { ButtonLink } from '../shared/ui/button-link.tsx';
import { Card } from '../shared/ui/card.tsx';
import { EmptyPanel } from '../shared/ui/empty-panel.tsx';
import { PageHeader } from '../shared/ui/page-header.tsx';

interface GuardedProps {
  access: Access;
  /** Why others do not see these pages. */
  refusal: ErrorCode;
}

/** Shows its child routes to those who may see them. */
function Guarded({ access, refusal }: GuardedProps) {
  return useCan(access) ? <Outlet /> : <RefusedPage refusal={refusal} />;
}

function RefusedPage({ refusal }: { refusal: ErrorCode }) {
  const { t } = useTranslation();
  const codeText = useCodeText();
  return (
    <>
      <PageHeader title={t('refused.title')} />
      <Card flush>
        <EmptyPanel
          icon={<ShieldX />}
          title={codeText(refusal)}
          action={<ButtonLink to={paths.home()}>{t('notFound.home')}</ButtonLink>}
        />
      </Card>
    </>
  );
}

export const AdminPages = () => <Guarded access="admin" refusal="ADMIN_ONLY" />;
export const SellerPages = () => <Guarded access={['view_users']} refusal="FORBIDDEN" />;
