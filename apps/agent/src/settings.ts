import type { AgentOptions } from './agent.ts';
import { pageSettings, readInfoSettings, readReloadSettings } from './reload/settings.ts';

const HIGHEST_PORT = 65_535;

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > HIGHEST_PORT) {
    throw new Error(`AGENT_PORT '${text}' is not a port: give a number from 0 to ${HIGHEST_PORT}`);
  }
  return Number(text);
}

export const settingNames = [
  'AGENT_USERNAME',
  'AGENT_PASSWORD',
  'AGENT_DIR',
  'AGENT_PORT',
  'AGENT_HOST',
  'TIME_ZONE',
  'OSCAM_GROUP',
  'CCCAM_F_OPTIONS',
  ...pageSettings,
];

/** Treats an empty variable as unset. */
export function readSettings(env: NodeJS.ProcessEnv): AgentOptions {
  const info = readInfoSettings(env);
  return {
    username: env.AGENT_USERNAME ?? '',
    password: env.AGENT_PASSWORD ?? '',
    dir: env.AGENT_DIR || './data/agent',
    port: readPort(env.AGENT_PORT || '3000'),
    host: env.AGENT_HOST || '127.0.0.1',
    timeZone: env.TIME_ZONE || 'UTC',
    oscamGroup: env.OSCAM_GROUP || '1',
    cccamOptions: env.CCCAM_F_OPTIONS || '',
    reload: readReloadSettings(env),
    ...(info && { info }),
  };
}
