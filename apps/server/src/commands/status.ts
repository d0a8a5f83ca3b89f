// `npm run status`, `linekeeper status`: whether the panel runs, and what it knows of itself.
import { readConfig } from '../platform/config/config.ts';
import { version as installed } from '../platform/config/version.ts';
import { metricOf, panelUrl, readPanel } from './panel-facts.ts';
import { runCommand, say } from './run-command.ts';
import { newerVersion } from './update/feed.ts';

const moment = (seconds: number | null) =>
  seconds ? new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z') : null;

await runCommand('status', async () => {
  const config = readConfig(process.env);
  const url = panelUrl(config);
  const [{ health, ready, metrics }, newer_version] = await Promise.all([
    readPanel(url),
    newerVersion(installed, config.update_feed),
  ]);
  const { schema = null } = metrics.find(({ name }) => name === 'linekeeper_info')?.labels ?? {};
  const result = {
    running: health?.status === 'ok',
    ready: ready?.status === 'ok',
    version: health?.version ?? null,
    installed,
    running_since: moment(metricOf(metrics, 'process_start_time_seconds')),
    database: config.database_url ? 'postgresql' : 'embedded',
    schema: schema || null,
    last_backup: moment(metricOf(metrics, 'linekeeper_backup_last_made_timestamp_seconds')),
    pushes_due: metricOf(metrics, 'linekeeper_pushes_due'),
    servers_down: metrics
      .filter(({ name, value }) => name === 'linekeeper_server_up' && value === 0)
      .map(({ labels }) => labels.server),
    newer_version,
  };
  const { running, ready: isReady, version, running_since } = result;
  const state = isReady ? 'running' : 'running, and its database is not available';
  say(
    `Panel: ${running ? state : health?.reason ? `waiting for the database (${health.reason})` : 'not running'}`,
  );
  say(`Address: ${url}`);
  say(`Version: ${version ?? installed}`);
  if (version && version !== installed) say(`Installed: ${installed}. Restart the panel to run it`);
  if (running_since) say(`Running since: ${running_since}`);
  say(`Database: ${result.database}${schema ? `, schema ${schema}` : ''}`);
  if (running) {
    say(`Last scheduled backup: ${result.last_backup ?? 'never'}`);
    say(`Pending changes: ${result.pushes_due ?? 'unknown'}`);
    say(`Card servers down: ${result.servers_down.join(', ') || 'none'}`);
  }
  if (newer_version) say(`Newer version: ${newer_version}`);
  if (!running || !isReady) process.exitCode = 1;
  return result;
});
