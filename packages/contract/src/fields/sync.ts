import * as z from 'zod';
import { optionalFinding } from '../findings.ts';

/** Result of the push; `message` is the error if `ok` is false. */
export const sync = z.object({ ok: z.boolean(), message: z.string().nullable() });
export type Sync = z.output<typeof sync>;

/** Result of the push, as a sentence and as a finding. */
export const syncReply = { sync, sync_finding: optionalFinding };
