// A furnished panel with two card servers' agents, all of it in a temporary folder that is removed at the end.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Agent, startAgent } from '../../apps/agent/src/agent.ts';
import { readSettings } from '../../apps/agent/src/settings.ts';
import { refuseBusyPort } from '../../apps/server/src/commands/listen.ts';
import { type Panel, startPanel } from '../../apps/server/src/commands/panel.ts';
import { type Oscam, startOscam } from '../../packages/oscam/src/testing/oscam.ts';
import { agentLogin, furnish, people } from './furnish.ts';

/** The passwords are published in this file, so only this machine may reach the demo. */
const HOST = '127.0.0.1';
const DEFAULT_PORT = 8080;
/** The port on which a visitor's own line on Frankfurt 1 can log in. The README names it. */
const LOGIN_PORT = 12_080;
/** Times in which the second card server is up and down, so that a visitor sees what a panel does without it. */
const UP_MS = 4 * 60_000;
const DOWN_MS = 60_000;

const MINUTE_MS = 60_000;
/** One of this many lines of a server is offline. */
const ONE_OFF_IN = 3;
/** An address for each home, in networks that are reserved for documentation. */
const homeOf = (index: number) => `198.51.${100 + index}.${20 + index}`;
const SECOND_HOME = '203.0.113.44';

/** Settings that would lead to the visitor's own database, for which the demo does not start. */
const own = ['DATA_DIR', 'DATABASE_URL'].filter((name) => process.env[name]);
if (own.length > 0) {
  console.error(
    `npm run demo uses a temporary database and does not touch any other: unset ${own.join(' and ')}.`,
  );
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'linekeeper-demo-'));
const running: { panel?: Panel; agents: Agent[]; isEnding: boolean } = {
  agents: [],
  isEnding: false,
};
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
// The launcher has ended, so nothing else would end this process.
if (process.connected) process.on('disconnect', () => void end());

async function end(): Promise<void> {
  if (running.isEnding) return;
  running.isEnding = true;
  const { panel, agents } = running;
  await panel?.close();
  await Promise.all(agents.map((agent) => agent.close().catch(() => {})));
  process.exit(0);
}

/**
 * Starts an agent. `webif` is the web interface of its card server, through which it announces
 * changes and reads the lines online.
 */
function openAgent(name: string, port: number, webif?: string): Promise<Agent> {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return startAgent({
    ...readSettings({
      AGENT_USERNAME: agentLogin.username,
      AGENT_PASSWORD: agentLogin.password,
      AGENT_DIR: dir,
      AGENT_PORT: String(port),
      ...(webif && { OSCAM_WEBIF_URL: webif }),
    }),
    log: () => {},
  });
}

/**
 * Makes a card server read the lines that its agent has written. The customers of most lines are connected; one line is
 * connected from two homes at once, so that the panel flags it as shared after some minutes.
 */
async function fillCardServer(oscam: Oscam, protocol: string): Promise<void> {
  await oscam.restart();
  const names = oscam.names().filter((_, index) => index % ONE_OFF_IN !== ONE_OFF_IN - 1);
  const connect = (user: string, ip: string, minutes: number) =>
    oscam.clients.push({
      user,
      ip,
      protocol,
      login: new Date(Date.now() - minutes * MINUTE_MS).toISOString().replace(/\.\d+Z$/, '+0000'),
      stats: { cwok: String(400 + minutes), cwnok: '3', cwtime: '120' },
    });
  for (const [index, name] of names.entries()) connect(name, homeOf(index), 7 + 11 * index);
  const [shared] = names;
  if (shared) connect(shared, SECOND_HOME, 25);
}

/** Starts a panel with only the demo's settings, because those in the visitor's environment are for other panels. */
function openPanel(port: number): Promise<Panel> {
  const settings = {
    HOST,
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: people.admin.email,
    ADMIN_PASSWORD: people.admin.password,
  };
  return startPanel(settings, pino({ level: 'silent' }));
}

/** Stops and starts the second card server again and again, until the demo ends. */
function comeAndGo(port: number, webif: string): void {
  const turn = async (isUp: boolean) => {
    if (running.isEnding) return;
    if (isUp) await running.agents.pop()?.close();
    else running.agents.push(await openAgent('warsaw', port, webif));
    setTimeout(() => void turn(!isUp), isUp ? DOWN_MS : UP_MS);
  };
  setTimeout(() => void turn(true), UP_MS);
}

const wanted = Number(process.env.PORT || DEFAULT_PORT);
console.log('Starting a panel with demo data …');
const names = ['frankfurt', 'warsaw'];
// The agents start without a card server to reload, because each sale would wait for it.
running.agents = await Promise.all(names.map((name) => openAgent(name, 0)));
const [frankfurt = '', warsaw = ''] = running.agents.map(({ url }) => url);
const portOf = (address: string) => Number(new URL(address).port);
// Port 0 is any that is free.
const freeOr0 = (port: number) =>
  refuseBusyPort(HOST, port).then(
    () => port,
    () => 0,
  );
running.panel = await openPanel(await freeOr0(wanted));
const { url } = running.panel;
const fileOf = (name: string) => join(folder, name, 'oscam.user');
const inFrankfurt = await startOscam({
  file: fileOf('frankfurt'),
  cccamPort: await freeOr0(LOGIN_PORT),
});
const inWarsaw = await startOscam({ file: fileOf('warsaw') });
await furnish(url, { frankfurt, warsaw }, inFrankfurt.ports.cccam);
await Promise.all(running.agents.map((agent) => agent.close()));
await fillCardServer(inFrankfurt, 'cccam (2.3.0-3367)');
await fillCardServer(inWarsaw, 'newcamd (0500)');
running.agents = await Promise.all([
  openAgent('frankfurt', portOf(frankfurt), inFrankfurt.url),
  openAgent('warsaw', portOf(warsaw), inWarsaw.url),
]);
comeAndGo(portOf(warsaw), inWarsaw.url);

console.log(`\nThe demo is at ${url}\n`);
for (const { email, password, what } of Object.values(people)) {
  console.log(`  ${what.padEnd(24)} ${email.padEnd(28)} ${password}`);
}
console.log(`
Sell a line on Frankfurt 1, then log in with it in a second terminal, as a receiver does:
  npm run try-line -- "C: 127.0.0.1 ${inFrankfurt.ports.cccam} username password"

Two card servers respond; Warsaw is down for a minute now and then. Everything is deleted when you press Ctrl-C.`);
