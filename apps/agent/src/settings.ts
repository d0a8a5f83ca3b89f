export const WEBIF = {
  url: 'OSCAM_WEBIF_URL',
  user: 'OSCAM_WEBIF_USER',
  password: 'OSCAM_WEBIF_PASSWORD',
  fingerprint: 'OSCAM_WEBIF_FINGERPRINT',
} as const;
export const COMMAND = 'RELOAD_COMMAND';
const INFO = {
  url: 'CCCAM_INFO_URL',
  user: 'CCCAM_INFO_USER',
  password: 'CCCAM_INFO_PASSWORD',
} as const;

/** Characters not for a user: OSCam cuts a sign-in's header at commas, and a digest has colons. */
const NOT_IN_USER = /[,:"\\\p{Cc}]/u;
const HEX_BYTES = 32;

/**
 * Address and sign-in of a page of the card server, such as CCcam's information port. User and password are both empty
 * if it needs none.
 */
export type InfoSettings = { url: URL; user: string; password: string };
export type WebifSettings = InfoSettings & { fingerprint: string | undefined };

type PageNames = { url: string; user: string; password: string };

/** The address of a page of the card server, with nothing after the port. */
function readAddress({ url, user, password }: PageNames, text: string, port: number): URL {
  const example = `give one as http://127.0.0.1:${port}`;
  // The message does not repeat the URL, which may have a password.
  if (text.includes('@')) {
    throw new Error(`${url} must not hold a name or a password: use ${user} and ${password}`);
  }
  const address = URL.parse(text);
  const isWeb = address?.protocol === 'http:' || address?.protocol === 'https:';
  if (!address || !isWeb) throw new Error(`${url} '${text}' is not an address: ${example}`);
  if (address.pathname !== '/' || address.search || address.hash) {
    throw new Error(`${url} '${text}' must end with the port: ${example}`);
  }
  return address;
}

/**
 * The address, name and password of a page; undefined if none of its settings is given. An empty setting counts as not
 * given.
 */
function readPage(env: NodeJS.ProcessEnv, names: PageNames, port: number) {
  const { [names.url]: address, [names.user]: user = '', [names.password]: password = '' } = env;
  if (!address) {
    const alone = Object.values(names).find((setting) => env[setting]);
    if (alone) throw new Error(`${alone} is set without ${names.url}`);
    return undefined;
  }
  if (Boolean(user) !== Boolean(password)) {
    throw new Error(`${names.user} and ${names.password} belong together: set both, or neither`);
  }
  return { url: readAddress(names, address, port), user, password };
}

/** A fingerprint in the form of Node, AA:BB:…; openssl prints the name of the hash before it. */
function readFingerprint(text: string): string {
  const digits = text.replace(/^sha256 Fingerprint=/i, '').replaceAll(':', '');
  if (!/^[0-9a-f]*$/i.test(digits) || digits.length !== 2 * HEX_BYTES) {
    throw new Error(
      `${WEBIF.fingerprint} is not the SHA-256 of a certificate: give what ` +
        '`openssl x509 -noout -fingerprint -sha256` prints, 64 digits from 0 to F with or without colons',
    );
  }
  return (digits.toUpperCase().match(/../g) ?? []).join(':');
}

function readWebif(env: NodeJS.ProcessEnv): WebifSettings | undefined {
  const page = readPage(env, WEBIF, 8888);
  if (!page) return undefined;
  if (NOT_IN_USER.test(page.user)) {
    throw new Error(`${WEBIF.user} must not contain a comma, a colon, a quote or a backslash`);
  }
  const print = env[WEBIF.fingerprint];
  if (print && page.url.protocol !== 'https:') {
    throw new Error(`${WEBIF.fingerprint} needs https in ${WEBIF.url}`);
  }
  return { ...page, fingerprint: print ? readFingerprint(print) : undefined };
}

/** The settings of CCcam's information port. */
export function readInfoSettings(env: NodeJS.ProcessEnv): InfoSettings | undefined {
  const page = readPage(env, INFO, 16_001);
  if (page?.user.includes(':')) throw new Error(`${INFO.user} must not contain a colon`);
  return page;
}

/**
 * Program and arguments: the parts between blanks outside of quotes, which are removed. Throws for a quote that does
 * not end.
 */
export function splitCommand(text: string): string[] {
  const parts: string[] = [];
  const part = /\s*((?:[^\s'"]|'[^']*'|"[^"]*")+)\s*/y;
  while (part.lastIndex < text.length) {
    const found = part.exec(text)?.[1];
    if (found === undefined) throw new Error(`${COMMAND} has a quote that is not closed`);
    parts.push(found.replace(/'([^']*)'|"([^"]*)"/g, (_, one, other) => one ?? other));
  }
  return parts;
}

/** Reads from the environment how the card server is made to reload its accounts. An empty variable counts as unset. */
export function readReloadSettings(env: NodeJS.ProcessEnv) {
  const webif = readWebif(env);
  const line = env[COMMAND]?.trim();
  return { ...(webif && { webif }), ...(line && { command: splitCommand(line) }) };
}

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
  ...Object.values(WEBIF),
  COMMAND,
  ...Object.values(INFO),
];

export type Settings = ReturnType<typeof readSettings>;

/** The agent's settings. An empty variable counts as unset. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const info = readInfoSettings(env);
  return {
    /** Name and password for Basic authentication of requests. */
    username: env.AGENT_USERNAME ?? '',
    password: env.AGENT_PASSWORD ?? '',
    /** Folder for the accounts and the card servers' files; created if missing. */
    dir: env.AGENT_DIR || './data/agent',
    /** The port; 0 picks any free one. */
    port: readPort(env.AGENT_PORT || '3000'),
    host: env.AGENT_HOST || '127.0.0.1',
    /** IANA name; determines the current day, and so which accounts have expired. */
    timeZone: env.TIME_ZONE || 'UTC',
    /** Groups of new rows in oscam.user, as in 1,2,10. */
    oscamGroup: env.OSCAM_GROUP || '1',
    /** Options of new F lines in CCcam.cfg, after name and password, as in 1 0 1 { 0:0:1 }. */
    cccamOptions: env.CCCAM_F_OPTIONS || '',
    /** The way in which the card server is made to read its files. */
    reload: readReloadSettings(env),
    /** CCcam's information port, which is used for sessions if there is no web interface of OSCam. */
    ...(info && { info }),
  };
}
