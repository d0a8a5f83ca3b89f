import type { Body } from '@linekeeper/contract/endpoint.ts';
import { editServer, type Server } from '@linekeeper/contract/servers/servers.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { results } from '#platform/state/results.ts';

export type ServerSwitch = 'closed_to_new_lines' | 'repair_automatically';

/** Switches of a server that are saved immediately. The result offers Undo. */
export function useServerSwitches(server: Server) {
  const { t } = useTranslation('servers');
  const { id, server_name: name } = server;
  // The requested states are shown until the panel reports the same.
  const [wanted, setWanted] = useState<Partial<Record<ServerSwitch, boolean>>>({});
  const edit = useCommand(editServer, {
    input: (body: Body<typeof editServer>) => ({ params: { id }, body }),
    refreshes: ['servers'],
    waits: true,
  });
  const change = async (field: ServerSwitch, isOn: boolean, isUndo = false) => {
    setWanted({ [field]: isOn });
    await edit.send(
      { [field]: isOn },
      {
        done: () => {
          const undo = () => void change(field, !isOn, true);
          results.success(t('saved', { name }), {
            action: isUndo ? undefined : { label: t('action.undo'), key: 'z', onClick: undo },
          });
        },
      },
    );
    setWanted({});
  };
  return {
    isOn: (field: ServerSwitch) => wanted[field] ?? server[field],
    change: (field: ServerSwitch, isOn: boolean) => void change(field, isOn),
    isPending: edit.isPending,
  };
}
