import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type { PushOutcome } from './pushes.ts';

/** The result of a push for a reply: the sentence in `sync`, and its finding. */
export function syncReply({ ok, finding }: PushOutcome) {
  const { message } = findingWithMessage(finding);
  return { sync: { ok, message }, sync_finding: finding };
}
