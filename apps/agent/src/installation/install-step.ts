import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { attempted } from '../log.ts';

const INFO_PORT = 16_001;
const FIRST_PORT = 3000;
const PORTS_TRIED = 20;
const CALLS = 5;
const PAUSE_MS = 3000;

type Section = ReadonlyMap<string, string>;

/** The sections of a file. Names and keys are in lower case; the last of two equal keys counts, as in OSCam. */
function readSections(text: string): Map<string, Section> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (heading !== undefined) {
      const name = heading.trim().toLowerCase();
      section = sections.get(name) ?? new Map();
      sections.set(name, section);
      continue;
    }
    const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) section.set(key.toLowerCase(), value);
  }
  return sections;
}

function portOf(text: string | undefined): number | null {
  const port = Number(/^\+?(\d{1,5})/.exec(text ?? '')?.[1] ?? 0);
  return port >= 1 && port <= 65_535 ? port : null;
}

/**
 * Settings for OSCam's web interface on this machine, which it serves even if it listens elsewhere
 * too. A plus sign before the port means TLS.
 */
function webifOf(webif: Section | undefined): Record<string, string> {
  const port = portOf(webif?.get('httpport'));
  if (!webif || port === null) return {};
  const scheme = webif.get('httpport')?.startsWith('+') ? 'https' : 'http';
  const user = webif.get('httpuser') ?? '';
  const password = webif.get('httppwd') ?? '';
  return {
    OSCAM_WEBIF_URL: `${scheme}://127.0.0.1:${port}`,
    ...(user && password && { OSCAM_WEBIF_USER: user, OSCAM_WEBIF_PASSWORD: password }),
  };
}

/** Settings for CCcam's information port, which is open unless CCcam's file closes it. */
function infoOf(text: string): Record<string, string> {
  const of = (key: string) =>
    new RegExp(`^[ \\t]*${key}[ \\t]*:[ \\t]*(.*?)[ \\t]*$`, 'im').exec(text)?.[1] ?? '';
  if (!text || /^no/i.test(of('ALLOW WEBINFO'))) return {};
  const port = portOf(of('WEBINFO LISTEN PORT')) ?? INFO_PORT;
  const user = of('WEBINFO USERNAME');
  const password = of('WEBINFO PASSWORD');
  return {
    CCCAM_INFO_URL: `http://127.0.0.1:${port}`,
    ...(user && password && { CCCAM_INFO_USER: user, CCCAM_INFO_PASSWORD: password }),
  };
}

const readIfThere = (file: string) => attempted(() => readFileSync(file, 'latin1')) ?? '';

/**
 * Protocol, port and settings of the agent for a card server, from the card server's own configuration in OSCam's
 * folder, or else in CCcam.cfg. Either path may be empty.
 */
export function readCardServer(oscamFolder: string, cccamFile: string) {
  const sections = readSections(oscamFolder && readIfThere(join(oscamFolder, 'oscam.conf')));
  const webif = webifOf(sections.get('webif'));
  const cccam = portOf(sections.get('cccam')?.get('port'));
  if (cccam !== null) return { protocol: 'CCcam', port: cccam, webif, info: {} };
  const newcamd = portOf(sections.get('newcamd')?.get('port'));
  if (newcamd !== null) return { protocol: 'NewCamd', port: newcamd, webif, info: {} };
  const text = cccamFile && readIfThere(cccamFile);
  const listens = /^\s*SERVER LISTEN PORT\s*:\s*(\d+)/im.exec(text);
  return { protocol: 'CCcam', port: portOf(listens?.[1]), webif, info: infoOf(text) };
}

/** Text that every reader of settings files reads unchanged. */
const PLAIN = /^[\w.:/+=@,{}[\] -]*$/;

function quoted(name: string, value: string): string {
  if (PLAIN.test(value) && value === value.trim()) return value;
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  if (!/["$\\\n\r`]/.test(value)) return `"${value}"`;
  throw new Error(`${name} has characters that a settings file cannot hold`);
}

/**
 * The text of a settings file with these values changed or added. Comments, order, and settings
 * that an operator added stay unchanged.
 */
export function withSettings(text: string, values: Record<string, string>): string {
  const left = new Map(Object.entries(values));
  const lines = text.split('\n').map((line) => {
    const name = /^(\w+)=/.exec(line)?.[1] ?? '';
    const value = left.get(name);
    if (value === undefined) return line;
    left.delete(name);
    return `${name}=${quoted(name, value)}`;
  });
  while (lines.at(-1) === '') lines.pop();
  const added = [...left].map(([name, value]) => `${name}=${quoted(name, value)}`);
  return `${[...lines, ...added].join('\n')}\n`;
}

async function post(panel: string, path: string, body: object): Promise<Record<string, unknown>> {
  const address = new URL(path, panel);
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw new Error(`The panel at ${address.origin} cannot be reached: ${cause}`);
  });
  const said = (await reply.json().catch(() => ({}))) as Record<string, unknown>;
  if (reply.ok) return said;
  throw new Error(
    String(said.error ?? said.message ?? `The panel responded with HTTP status ${reply.status}`),
  );
}

async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + PORTS_TRIED; port++) {
    const probe = createServer().listen(port, '0.0.0.0');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(probe.close(), 'close');
    return port;
  }
  throw new Error(`No port from ${wanted} to ${wanted + PORTS_TRIED - 1} is free. Set AGENT_PORT.`);
}

/** The address on which the agent listens: the one that the panel calls, or only this machine's if both are on one. */
function listensFor(host: string): string {
  if (host === '127.0.0.1' || host === '::1') return host;
  return host.includes(':') ? '::' : '0.0.0.0';
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * Calls the panel for the first time, and writes the settings with the password from the response. Existing settings
 * stay, except name and password.
 */
async function callFirst(env: NodeJS.ProcessEnv, file: string): Promise<void> {
  const { KEY: key = '', PANEL: panel = '', OSCAM_DIR = '', CCCAM_CFG = '' } = env;
  const before = readFileSync(file, 'utf8');
  const settings = parseEnv(before);
  const facts = readCardServer(OSCAM_DIR, CCCAM_CFG);
  const wanted = Number(settings.AGENT_PORT || env.AGENT_PORT || FIRST_PORT);
  const api_port = settings.AGENT_PORT ? wanted : await freePort(wanted);
  const { protocol, port } = facts;
  const agent_version = manifest.version;
  const body = { key, api_port, protocol, port, agent_version };
  const { username, password, zone, host } = await post(panel, '/api/servers/awaited/call', body);
  const isTold = settings.OSCAM_WEBIF_URL || settings.RELOAD_COMMAND;
  const added = {
    ...(isTold ? {} : facts.webif),
    ...(settings.CCCAM_INFO_URL ? {} : facts.info),
    TIME_ZONE: textOf(zone),
    AGENT_HOST: listensFor(textOf(host)),
    AGENT_PORT: String(api_port),
  };
  const kept = Object.entries(added).filter(([name]) => !settings[name]);
  const account = { AGENT_USERNAME: textOf(username), AGENT_PASSWORD: textOf(password) };
  writeFileSync(file, withSettings(before, { ...account, ...Object.fromEntries(kept) }));
}

/**
 * Makes the panel call back, until it reaches the agent or has tried often enough. Prints the
 * address that an administrator has to confirm.
 */
async function callBack({ KEY: key = '', PANEL: panel = '' }: NodeJS.ProcessEnv): Promise<void> {
  let message = '';
  for (let call = 0; call < CALLS; call++) {
    if (call > 0) await sleep(PAUSE_MS);
    const said = await post(panel, '/api/servers/awaited/ready', { key });
    if (said.reached === true) {
      if (said.is_confirmed === false) process.stdout.write(textOf(said.host));
      return;
    }
    message = textOf(said.message);
  }
  throw new Error(message);
}

/** The steps of the installation that the script leaves to the agent's own program. */
const steps: Record<string, (env: NodeJS.ProcessEnv, file: string) => Promise<void>> = {
  'first-call': callFirst,
  'call-back': callBack,
};

/** Runs a step; prints the reason on failure. Key, passwords and names come in the environment, never as arguments. */
export async function runInstallStep(name: string, file: string): Promise<void> {
  try {
    const step = steps[name];
    if (!step) throw new Error(`There is no step '${name}'`);
    await step(process.env, file);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
