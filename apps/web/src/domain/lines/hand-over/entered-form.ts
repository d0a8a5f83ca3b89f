import type { Receivers } from '@linekeeper/contract/lines/receivers.ts';
import { useState } from 'react';
import type { LineServer } from '#domain/lines/line-server.ts';
import { keptInBrowser } from '#platform/browser/storage.ts';

/** The forms of receiver settings, one text each. */
const forms = ['cccam', 'newcamd', 'oscam_cccam', 'oscam_newcamd'] as const;
export type EnteredForm = (typeof forms)[number];

/**
 * True if a server's protocol has this format of receiver settings. A NewCamd server without ports still has `newcamd`,
 * whose page explains that ports are missing.
 */
export function hasForm({ protocol, newcamd_ports }: LineServer, form: EnteredForm): boolean {
  const isCccam = protocol === 'CCcam';
  if (form === 'cccam' || form === 'oscam_cccam') return isCccam;
  return newcamd_ports.length > 0 || (form === 'newcamd' && !isCccam);
}

/** The forms of receiver settings that at least one of the servers has. */
export function formsOf(servers: readonly LineServer[]): EnteredForm[] {
  return forms.filter((form) => servers.some((server) => hasForm(server, form)));
}

export function textOf({ cccam, newcamd, oscam }: Receivers, form: EnteredForm): string {
  if (form === 'cccam') return cccam ?? '';
  if (form === 'newcamd') return newcamd.map(({ line }) => line).join('\n');
  return (form === 'oscam_cccam' ? oscam.cccam : oscam.newcamd) ?? '';
}

/** The name of a file that a receiver reads the text from. */
export function fileOf(form: EnteredForm, username: string): string {
  return form === 'cccam' || form === 'newcamd' ? `${username}.cfg` : 'oscam.server';
}

const KEY = 'receiver-form';

/** The form of receiver settings that was last chosen in this browser; the first form if no server has that one. */
export function useEnteredForm(servers: readonly LineServer[]) {
  const offered = formsOf(servers);
  const [chosen, setChosen] = useState(() => keptInBrowser.read(KEY));
  const form = offered.find((one) => one === chosen) ?? offered[0] ?? 'newcamd';
  const choose = (one: EnteredForm) => {
    setChosen(one);
    keptInBrowser.write(KEY, one);
  };
  return { form, choose, offered };
}
