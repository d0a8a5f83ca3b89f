import type { Receivers } from '@linekeeper/contract/lines/receivers.ts';
import { useState } from 'react';
import type { LineServer } from '#domain/lines/line-server.ts';
import { keptInBrowser } from '#platform/browser/storage.ts';

/** What a receiver's owner enters: one text in each of the forms that receivers take. */
const forms = ['cccam', 'newcamd', 'oscam_cccam', 'oscam_newcamd'] as const;
export type EnteredForm = (typeof forms)[number];

/**
 * The formats of receiver settings that the server's protocol allows. A NewCamd server without ports still has
 * `newcamd`, whose page explains that ports are missing.
 */
export function formsOf({ protocol, newcamd_ports }: LineServer): EnteredForm[] {
  const isCccam = protocol === 'CCcam';
  const hasPorts = newcamd_ports.length > 0;
  return forms.filter((form) => {
    if (form === 'cccam' || form === 'oscam_cccam') return isCccam;
    return hasPorts || (form === 'newcamd' && !isCccam);
  });
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

/**
 * The format of receiver settings that was last chosen in this browser; the first one if the server does not offer
 * it.
 */
export function useEnteredForm(server: LineServer) {
  const offered = formsOf(server);
  const [chosen, setChosen] = useState(() => keptInBrowser.read(KEY));
  const form = offered.find((one) => one === chosen) ?? offered[0] ?? 'newcamd';
  const choose = (one: EnteredForm) => {
    setChosen(one);
    keptInBrowser.write(KEY, one);
  };
  return { form, choose, offered };
}
