import { AGENT_SCRIPT_PATH } from '@linekeeper/contract/servers/awaited.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/ui/card.tsx';
import { Muted, Stack, Text } from '../../../shared/ui/vocabulary.tsx';
import { CommandBox } from './agent-card.tsx';

/** The command that updates an agent which is older than the panel's. It needs no key, because it changes no access. */
export function AgentUpdate({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const { agent_version: version, agent_outdated } = server;
  if (!agent_outdated) return null;
  const script = `${window.location.origin}${AGENT_SCRIPT_PATH}`;
  return (
    <Text as="div" below={24}>
      <Card title={t('awaited.update', { version })}>
        <Stack gap={16}>
          <Muted as="p">{t('awaited.updateText')}</Muted>
          <CommandBox command={`(curl -fsSL ${script} || wget -qO- ${script}) | sh`} />
        </Stack>
      </Card>
    </Text>
  );
}
