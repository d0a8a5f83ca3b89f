const levels: Record<number, string> = { 30: 'info', 40: 'warn', 50: 'ERROR', 60: 'FATAL' };

/** A line of the log as a sentence for people. A line in another format is returned unchanged. */
export function readable(line: string): string {
  try {
    const { level, time, msg, err, reqId, ...others } = JSON.parse(line);
    if (typeof time !== 'number') return line;
    const { pid: _pid, hostname: _hostname, ...facts } = others;
    const details = Object.keys(facts).length > 0 ? ` ${JSON.stringify(facts)}` : '';
    const cause = err ? `: ${err.message ?? JSON.stringify(err)}` : '';
    const request = reqId ? ` (${reqId})` : '';
    return `${new Date(time).toISOString()} ${levels[level] ?? level} ${msg ?? ''}${cause}${details}${request}`;
  } catch {
    return line;
  }
}
