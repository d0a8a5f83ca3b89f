import type { Comparison } from '@linekeeper/contract/servers/compare.ts';
import { editServer, type Server } from '@linekeeper/contract/servers/servers.ts';
import { Merge } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { results } from '#platform/state/results.ts';

interface SameCardServerProps {
  server: Server;
  other: Comparison['elsewhere'][number];
}

/** Asks whether two servers of the panel are one card server. The marks of accounts suggest it, but do not prove it. */
export function SameCardServer({ server, other }: SameCardServerProps) {
  const { t } = useTranslation('servers');
  const names = { name: server.server_name, other: other.server_name };
  const edit = useCommand(editServer, {
    input: (same_machine_as: string | null) => ({
      params: { id: server.id },
      body: { same_machine_as },
    }),
    refreshes: ['servers', 'server-comparison'],
  });
  const join = () =>
    void edit.send(other.id, {
      done: () =>
        results.success(t('sameMachine.done', names), {
          action: { label: t('action.undo'), key: 'z', onClick: () => void edit.send(null) },
        }),
    });
  return (
    <Banner
      tone="warning"
      title={t('sameMachine.title', { ...names, count: other.accounts })}
      action={
        <Button size="small" icon={<Merge />} pending={edit.isPending} onClick={join}>
          {t('sameMachine.confirm')}
        </Button>
      }
    >
      <p>{t('sameMachine.advice')}</p>
    </Banner>
  );
}
