import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lazyComponent } from '../start/lazy-component.tsx';
import styles from './cells.module.css';
import { Pending, ServerName, syncProblem, useServerName } from './sync.tsx';

// Loaded on demand, because most lists contain no line with a problem.
const ProblemChip = lazyComponent(async () => (await import('./sync-problem.tsx')).ProblemChip, {
  before: ({ serverName }) => (
    <span className={styles.sync}>
      <ServerName>{serverName}</ServerName>
    </span>
  ),
  isPart: true,
});

/** The server of a line, or that the line is not on its server. */
export function SyncChip({ line }: { line: Line }) {
  const serverName = useServerName(line.server_id);
  const problem = syncProblem(line);
  if (problem) return <ProblemChip line={line} problem={problem} serverName={serverName} />;
  return (
    <span className={styles.sync}>
      <ServerName>{serverName}</ServerName>
      {line.sync_state === 'pending' && <Pending />}
    </span>
  );
}
