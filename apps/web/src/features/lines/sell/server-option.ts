import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { serverChoices } from '@linekeeper/contract/servers/choices.ts';
import type { SelectOption } from '#kit/forms/fields/option-text.tsx';

type ServerChoice = Reply<typeof serverChoices>[number];

const tones = { active: 'success', inactive: 'neutral', error: 'error' } as const;

/** A select option for a server, with a dot in the colour of its status. */
export function serverOption({ id, server_name, status }: ServerChoice): SelectOption {
  return { value: id, label: server_name, tone: tones[status] };
}
