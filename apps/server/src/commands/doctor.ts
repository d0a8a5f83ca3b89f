// `npm run doctor`, `linekeeper doctor`: looks for faults on this machine, and prints the remedy for each.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { hasDatabase, refuseLostDatabase } from '@linekeeper/data-folder/presence.ts';
import { checkSettingsFiles } from '@linekeeper/settings-file';
import { connectPostgres } from '../db/connect.ts';
import { type Config, readConfig, settingNames } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';
import { configuredKey } from '../platform/keys/key-file.ts';
import { diagnose, type Facts } from './doctor/diagnose.ts';
import { refuseBusyPort } from './listen.ts';
import { panelUrl, readPanel, tryPublicUrl } from './panel-facts.ts';
import { runCommand, say } from './run-command.ts';

/** The sentence of the error that `look` throws; null if it throws none. */
async function problemOf(look: () => unknown): Promise<string | null> {
  try {
    await look();
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

function readSettings() {
  try {
    const warnings = checkSettingsFiles(settingNames);
    return { config: readConfig(process.env), problem: null, warnings };
  } catch (error) {
    // The checks that need no setting go on with the defaults.
    return { config: readConfig({}), problem: errorMessage(error), warnings: [] };
  }
}

/** The disk of a folder, or of the one above it if the folder is missing. */
function diskOf(setting: string, folder: string): Facts['disks'] {
  if (!existsSync(folder)) return diskOf(setting, dirname(folder));
  const { bavail, bsize, blocks } = statfsSync(folder);
  return [{ setting, folder, free_bytes: bavail * bsize, share: bavail / blocks }];
}

async function isClockRight(): Promise<boolean | null> {
  const asked = promisify(execFile)('timedatectl', ['show', '-p', 'NTPSynchronized', '--value']);
  const said = await asked.then(({ stdout }) => stdout.trim()).catch(() => '');
  return said === 'yes' || (said === 'no' ? false : null);
}

/** Throws if the database cannot be used. The embedded one is not opened, because the panel may start now. */
async function tryDatabase({ database_url, data_dir }: Config): Promise<void> {
  if (database_url) return (await connectPostgres(database_url)).close();
  refuseLostDatabase(resolve(data_dir));
  if (existsSync(data_dir)) accessSync(data_dir, constants.W_OK);
}

function tryKey(config: Config): void {
  const isThere = configuredKey(config) !== null;
  if (isThere || config.database_url || !hasDatabase(resolve(config.data_dir))) return;
  throw new Error(`There is no secret.key in ${resolve(config.data_dir)}`);
}

async function collect(): Promise<Facts> {
  const { config, ...settings } = readSettings();
  const facts = await readPanel(panelUrl(config));
  const isSilent = facts.health === null;
  const { backup_dir, data_dir, host, port, database_url, public_url } = config;
  return {
    ...facts,
    settings,
    port: isSilent ? await problemOf(() => refuseBusyPort(host, port)) : null,
    database: facts.ready ? null : await problemOf(() => tryDatabase(config)),
    key: await problemOf(() => tryKey(config)),
    public_url: public_url && {
      url: public_url.origin,
      problem: isSilent ? null : await problemOf(() => tryPublicUrl(public_url)),
    },
    disks: [
      ...(database_url ? [] : diskOf('DATA_DIR', resolve(data_dir))),
      ...(backup_dir ? diskOf('BACKUP_DIR', backup_dir) : []),
    ],
    is_clock_right: await isClockRight(),
    now: new Date(),
  };
}

async function report() {
  const findings = diagnose(await collect());
  const ok = findings.every(({ level }) => level !== 'fault');
  const marks = { ok: 'ok     ', notice: 'notice ', fault: 'FAULT  ' };
  for (const { level, text, todo } of findings) {
    say(`${marks[level]} ${text}${todo ? `\n         → ${todo}` : ''}`);
  }
  if (!ok) process.exitCode = 1;
  return { ok, findings };
}

// Wrong settings are a finding, too.
await runCommand('doctor', report, { checksSettings: false });
