import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const SETTING_NAMES = {
  url: 'OSCAM_WEBIF_URL',
  user: 'OSCAM_WEBIF_USER',
  password: 'OSCAM_WEBIF_PASSWORD',
  fingerprint: 'OSCAM_WEBIF_FINGERPRINT',
  command: 'RELOAD_COMMAND',
} as const;

const { url, user, password, fingerprint, command } = SETTING_NAMES;
/** OSCam cuts the header of a sign-in at commas, and a digest has colons between its parts. */
const NOT_IN_USER = /[,:"\\\p{Cc}]/u;
const HEX_BYTES = 32;

export type WebifSettings = {
  url: URL;
  /** Name and password, both empty if the web interface asks for none. */
  user: string;
  password: string;
  fingerprint: string | undefined;
};

export type ReloadSettings = {
  webif?: WebifSettings;
  /** Program and arguments. */
  command?: readonly string[];
};

type AddressNames = { url: string; user: string; password: string };

/** The address of a page of the card server, without anything behind the port. */
export function readAddress({ url, user, password }: AddressNames, text: string, port = 8888): URL {
  const example = `give one as http://127.0.0.1:${port}`;
  // The message does not repeat the URL, which may have a password.
  if (text.includes('@')) {
    throw new Error(`${url} must not hold a name or a password: use ${user} and ${password}`);
  }
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = address?.protocol === 'http:' || address?.protocol === 'https:';
  if (!address || !isWeb) throw new Error(`${url} '${text}' is not an address: ${example}`);
  if (address.pathname !== '/' || address.search || address.hash) {
    throw new Error(`${url} '${text}' must end with the port: ${example}`);
  }
  return address;
}

/** The form of Node, AA:BB:…; openssl prints the name of the hash before it. */
function readFingerprint(text: string): string {
  const digits = text.replace(/^sha256 Fingerprint=/i, '').replaceAll(':', '');
  if (!/^[0-9a-f]*$/i.test(digits) || digits.length !== 2 * HEX_BYTES) {
    throw new Error(
      `${fingerprint} is not the SHA-256 of a certificate: give what ` +
        '`openssl x509 -noout -fingerprint -sha256` prints, 64 digits from 0 to F with or without colons',
    );
  }
  return (digits.toUpperCase().match(/../g) ?? []).join(':');
}

/** Throws unless name and password are both set, or neither. */
export function requirePair({ user, password }: AddressNames, name: string, secret: string): void {
  if (Boolean(name) !== Boolean(secret)) {
    throw new Error(`${user} and ${password} belong together: set both, or neither`);
  }
}

function readWebif(env: NodeJS.ProcessEnv): WebifSettings | undefined {
  const { [url]: address, [user]: name = '', [password]: secret = '' } = env;
  const { [fingerprint]: print } = env;
  if (!address) {
    const alone = [user, password, fingerprint].find((setting) => env[setting]);
    if (alone) throw new Error(`${alone} is set without ${url}`);
    return undefined;
  }
  requirePair(SETTING_NAMES, name, secret);
  if (NOT_IN_USER.test(name)) {
    throw new Error(`${user} must not contain a comma, a colon, a quote or a backslash`);
  }
  const where = readAddress(SETTING_NAMES, address);
  if (print && where.protocol !== 'https:') throw new Error(`${fingerprint} needs https in ${url}`);
  return {
    url: where,
    user: name,
    password: secret,
    fingerprint: print ? readFingerprint(print) : undefined,
  };
}

/** Splits at blanks outside of quotes, which go; undefined if a quote does not end. */
export function splitCommand(text: string): string[] | undefined {
  const parts: string[] = [];
  const part = /\s*((?:[^\s'"]|'[^']*'|"[^"]*")+)\s*/y;
  while (part.lastIndex < text.length) {
    const found = part.exec(text)?.[1];
    if (found === undefined) return undefined;
    parts.push(found.replace(/'([^']*)'|"([^"]*)"/g, (_, one, other) => one ?? other));
  }
  return parts;
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** True if this program can be run, by its path or from the folders of PATH. */
export function findProgram(program: string): boolean {
  if (program.includes('/')) return mayRun(program);
  const folders = (process.env.PATH ?? '').split(delimiter);
  return program !== '' && folders.some((folder) => mayRun(join(folder, program)));
}

function readCommand(text: string): readonly string[] {
  const parts = splitCommand(text);
  if (!parts) throw new Error(`${command} has a quote that does not end`);
  const [program = ''] = parts;
  if (!findProgram(program)) {
    throw new Error(
      `${command}: there is no program '${program}' that may be run. It is run without a shell: ` +
        'give a program and its arguments, or a script of your own',
    );
  }
  return parts;
}

/** Treats an empty variable as unset. */
export function readReloadSettings(env: NodeJS.ProcessEnv): ReloadSettings {
  const webif = readWebif(env);
  const line = env[command]?.trim();
  return { ...(webif && { webif }), ...(line && { command: readCommand(line) }) };
}
