import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Usage } from '@linekeeper/contract/lines/usage.ts';

/** What each part of the usage is about. */
export interface UsageProps {
  line: Line;
  usage: Usage;
}
