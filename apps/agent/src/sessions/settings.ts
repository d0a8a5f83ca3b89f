import { readAddress, requirePair } from '../reload/settings.ts';

export const INFO_SETTING_NAMES = {
  url: 'CCCAM_INFO_URL',
  user: 'CCCAM_INFO_USER',
  password: 'CCCAM_INFO_PASSWORD',
} as const;

const { url, user, password } = INFO_SETTING_NAMES;
const USUAL_PORT = 16_001;

/** Where CCcam's information port is; name and password are both empty if it asks for none. */
export type InfoSettings = { url: URL; user: string; password: string };

/** Treats an empty variable as unset. */
export function readInfoSettings(env: NodeJS.ProcessEnv): InfoSettings | undefined {
  const { [url]: address, [user]: name = '', [password]: secret = '' } = env;
  if (!address) {
    const alone = [user, password].find((setting) => env[setting]);
    if (alone) throw new Error(`${alone} is set without ${url}`);
    return undefined;
  }
  requirePair(INFO_SETTING_NAMES, name, secret);
  if (name.includes(':')) throw new Error(`${user} must not contain a colon`);
  return {
    url: readAddress(INFO_SETTING_NAMES, address, USUAL_PORT),
    user: name,
    password: secret,
  };
}
