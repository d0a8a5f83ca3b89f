import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Usage } from '@linekeeper/contract/lines/usage.ts';

/** The props of all components that show the usage of a line. */
export interface UsageProps {
  line: Line;
  usage: Usage;
}
