import {
  type ApiKey,
  type createApiKey,
  deleteApiKey,
  listApiKeys,
} from '@linekeeper/contract/auth/api-keys.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccessCard, AccessList, AccessRow } from '#features/profile/access-card.tsx';
import { MadeSecret } from '#features/profile/made-secret.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';

const CreateKeyDialog = lazyPart(() => import('./create-key-dialog.tsx'), 'CreateKeyDialog');

type MadeKey = Reply<typeof createApiKey>;

/** The card of keys for scripts. A new key is shown on it until the page is left. */
export function ApiKeysCard() {
  const { t } = useTranslation('profile');
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<MadeKey>();
  const keys = useQuery(callQuery('api-keys', listApiKeys, { select: ({ items }) => items }));
  const isMadeLeft = keys.data?.some(({ id }) => id === made?.id);
  return (
    <AccessCard
      title={t('apiKeys.title')}
      text={t('apiKeys.hint')}
      action={
        <Button icon={<Plus size={18} aria-hidden="true" />} onClick={() => setCreating(true)}>
          {t('apiKeys.create')}
        </Button>
      }
    >
      <div role="status">
        {made && isMadeLeft && (
          <MadeSecret
            text={t('apiKeys.made', { name: made.name })}
            secret={made.key}
            copyLabel={t('apiKeys.copy')}
          />
        )}
      </div>
      <AccessList query={keys} none={t('apiKeys.none')}>
        {(apiKey) => <KeyRow key={apiKey.id} apiKey={apiKey} />}
      </AccessList>
      {isCreating && <CreateKeyDialog onCreated={setMade} onClose={() => setCreating(false)} />}
    </AccessCard>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation('profile');
  const revocation = useCommand(deleteApiKey, {
    params: { id: apiKey.id },
    refreshes: ['api-keys'],
    waits: true,
    doneText: () => t('apiKeys.revoked'),
  });
  const name = apiKey.name;
  const revoke = async () => {
    const isMeant = await confirm({
      title: t('apiKeys.revokeTitle', { name }),
      text: t('apiKeys.revokeText'),
      confirmLabel: t('apiKeys.revoke'),
      tone: 'danger',
    });
    if (isMeant) await revocation.send();
  };
  return (
    <AccessRow icon={KeyRound} name={apiKey.name} text={<KeyFacts apiKey={apiKey} />}>
      {apiKey.kind === 'backup' && <Badge tone="info">{t('apiKeys.isForBackups')}</Badge>}
      {apiKey.has_expired && <Badge tone="error">{t('apiKeys.expired')}</Badge>}
      <Button
        size="small"
        pending={revocation.isPending}
        aria-label={t('apiKeys.revokeOf', { name })}
        onClick={() => void revoke()}
      >
        {t('apiKeys.revoke')}
      </Button>
    </AccessRow>
  );
}

function KeyFacts({ apiKey }: KeyFactsProps) {
  const { start, scopes, last_used_at, expires_at, has_expired } = apiKey;
  const { t } = useTranslation('profile');
  return (
    <>
      {start}… ·{' '}
      {last_used_at ? (
        <>
          {t('apiKeys.used')} <Timestamp value={last_used_at} />
        </>
      ) : (
        t('apiKeys.neverUsed')
      )}
      {scopes && ` · ${scopes.map((scope) => t(`apiKeys.scope.${scope}`)).join(', ')}`}
      {expires_at && !has_expired && (
        <>
          {' '}
          · {t('apiKeys.expiring')} <Timestamp value={expires_at} isDay />
        </>
      )}
    </>
  );
}
interface KeyFactsProps {
  apiKey: ApiKey;
}
