import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { KindChoice } from '#features/servers/webif/kind-choice.tsx';
import { TooManyLines } from '#features/servers/webif/too-many-lines.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import type { ServerFormOf } from './server-form-schemas.ts';
import { useChosenKind } from './use-chosen-kind.ts';

interface KindFieldProps {
  form: ServerFormOf;
  server: Server;
}

/**
 * The choice of how the panel reaches a stored server. Before a change is saved, a banner explains its consequences.
 */
export function KindField({ form, server }: KindFieldProps) {
  const { t } = useTranslation('servers');
  const { kind, choose } = useChosenKind(form);
  const { line_count: count } = server;
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="type-strong">{t('form.kind')}</p>
      <KindChoice value={kind} onChange={choose} />
      <div role="status">
        {kind !== server.kind && (
          <Banner tone="info" title={t('kind.change.title', { count })}>
            <p>{t(`kind.change.${kind}`)}</p>
          </Banner>
        )}
      </div>
      {kind === 'oscam_webif' && <TooManyLines count={count} />}
    </div>
  );
}
