import { rmSync } from 'node:fs';
import { checkSettingsFiles } from '@linekeeper/settings-file';
import { type Agent, startAgent } from './agent.ts';
import { runInstallStep } from './installation/install-step.ts';
import { causeOf, type Log } from './log.ts';
import { readSettings, settingNames } from './settings.ts';

const log: Log = (entry) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
};

// The program that reads the log may exit; the agent must not stop for that.
process.stdout.on('error', () => {});

function stopWith(agent: Agent): () => void {
  // This function runs twice with Ctrl-C: the signal comes from the terminal and from npm.
  return () => {
    agent.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Agent did not stop cleanly: ${causeOf(error)}\n`);
        process.exit(1);
      },
    );
  };
}

async function serve(): Promise<void> {
  try {
    for (const message of checkSettingsFiles(settingNames)) log({ level: 'warn', message });
    const agent = await startAgent({ ...readSettings(process.env), log });
    const stop = stopWith(agent);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    // Without the launcher, nothing else would stop this process.
    if (process.connected) process.on('disconnect', stop);
    process.stdout.write(`Agent listening on ${agent.url}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Agent could not start: ${reason}\n`);
    process.exitCode = 1;
  }
}

// The folder in memory into which the start of an installed agent unpacked Node. The running program keeps its file.
const { AGENT_UNPACKED: unpacked } = process.env;
if (unpacked) rmSync(unpacked, { recursive: true, force: true });

const [step, file = ''] = process.argv.slice(2);
if (step) await runInstallStep(step, file);
else await serve();
