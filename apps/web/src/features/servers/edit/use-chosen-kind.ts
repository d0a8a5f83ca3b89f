import {
  DEFAULT_API_PORT,
  DEFAULT_WEBIF_PORT,
  type ServerKind,
} from '@linekeeper/contract/servers/servers.ts';
import { useEffect } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import type { ServerFormOf } from './server-form-schemas.ts';

const usualPorts: Record<ServerKind, number> = {
  api: DEFAULT_API_PORT,
  oscam_webif: DEFAULT_WEBIF_PORT,
};

/** The chosen kind of a server; dependent fields are filled in unless something else was typed. */
export function useChosenKind(form: ServerFormOf, { isNew = false } = {}) {
  const { control, setValue } = form;
  const { dirtyFields } = useFormState({ control });
  const [kind, host_ip] = useWatch({ control, name: ['kind', 'host_ip'] });
  const fillsHost = isNew && kind === 'oscam_webif' && !dirtyFields.public_host;
  useEffect(() => {
    if (fillsHost) setValue('public_host', host_ip.trim() || null);
  }, [setValue, fillsHost, host_ip]);
  const choose = (chosen: ServerKind) => {
    setValue('kind', chosen, { shouldDirty: true });
    if (!dirtyFields.api_port) setValue('api_port', usualPorts[chosen]);
  };
  return { kind, choose };
}
