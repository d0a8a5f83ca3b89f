import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { tryLogin } from '../../packages/oscam/src/cccam-login.ts';
import { type Oscam, startOscam } from '../../packages/oscam/src/testing/oscam.ts';
import { memorySettings } from '../../scripts/memory.mjs';
import { freePort } from '../support/free-port.ts';
import { signInByForm } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

// The tests follow README and the guide to the agent word by word, on a separate panel. A missing
// step, or a label that the panel does not have, fails.

const root = join(import.meta.dirname, '../..');
const seller = { email: 'seller@example.org', password: 'heron-on-the-lake-9' };
/** Values to type for "a name" and other nouns, each with its field's label. */
const nouns: Record<string, [label: string, value: string]> = {
  'a name': ['Server name', 'Warsaw 1'],
};

/** The name and password of a line, for a login. */
interface Login {
  username: string;
  password: string;
}

/**
 * The steps of a section, each in one line and without its commands, and also its commands and the
 * settings of its files.
 */
function sectionOf(file: string, heading: string) {
  const all = readFileSync(join(root, file), 'utf8');
  const [, section = ''] = all.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  const fence = /^ *```(\w*)\n(.*?)^ *```$/gms;
  const blocks = [...body.matchAll(fence)];
  const commands = blocks.flatMap(([, kind, text = '']) => (kind === 'sh' ? [text] : []));
  const pairs = blocks.flatMap(([, kind, text = '']) =>
    kind === 'ini' ? [...text.matchAll(/^(\w+) *= *(.+)$/gm)] : [],
  );
  const settings = new Map(pairs.map(([, name = '', value = '']) => [name, value]));
  const steps = body.replace(fence, '').split(/^\d+\. /m);
  const inOneLine = steps.map((step) => step.replace(/\s+/g, ' ').trim()).filter(Boolean);
  return { steps: inOneLine, commands, settings };
}

const room = mkdtempSync(join(tmpdir(), 'linekeeper-guides-'));
const running: ChildProcess[] = [];
const at = { panel: 0, agent: 0 };
/** Values in the texts, such as ports, each with its value in this test. */
const ours = new Map<string, string>();
let url = '';
let adminPage: Page;
let oscam: Oscam | undefined;

/** Runs commands in the clone until their output contains `until`. Returns the output. */
async function run(commands: string, until: RegExp): Promise<string> {
  const child = spawn('bash', ['-c', commands], {
    cwd: root,
    detached: true,
    env: {
      ...process.env,
      LINEKEEPER_SETTINGS: join(room, 'settings'),
      PORT: String(at.panel),
      DATA_DIR: join(room, 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (text) => (said += text));
  await expect.poll(() => said, { timeout: 300_000 }).toMatch(until);
  return said;
}

/** The label with the panel's apostrophe instead of the guide's. */
const asShown = (label: string) => label.replaceAll("'", '’');

/** A person who follows a text in a browser. */
class Follower {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Patterns of the acts in the texts, each with a function that carries the act out. */
  readonly #acts: [RegExp, (...said: string[]) => Promise<unknown>][] = [
    [/[Oo]pen \*([^*]+)\*/g, (path) => this.#open(path.split(' → '))],
    [/[Ee]nter (an? \w+)/g, (noun) => this.#enter(noun)],
    [/as \*([^*]+)\*[^.`]* such as `([^`]+)`/g, (label, value) => this.#fill(label, value)],
    [/\*([^*]+)\* `([^`]+)`/g, (label, value) => this.#fill(label, value)],
    [/(?:[Cc]hoose|then) \*([^*]+)\*/g, (label) => this.#choose(asShown(label))],
    [/each step turns green/g, () => this.#expectGreen()],
    [
      /becomes \*([^*]+)\*/g,
      (text) => expect(this.page.getByText(text, { exact: true }).first()).toBeVisible(),
    ],
    [/paste the command that the page shows/g, () => this.#paste()],
  ];

  async follow(text: string): Promise<void> {
    const found = this.#acts
      .flatMap(([pattern, act]) => [...text.matchAll(pattern)].map((match) => ({ match, act })))
      .sort((a, b) => a.match.index - b.match.index);
    expect(found.length, text).toBeGreaterThan(0);
    const told = found.map(({ match: [said] }) => said).join(' ');
    const labels = text.replaceAll('**', '').match(/(?<!\*)\*[^*]+\*(?!\*)/g) ?? [];
    for (const label of labels) expect(told, 'nobody does it').toContain(label);
    for (const { match, act } of found) {
      await test.step(match[0], () => act(...match.slice(1)));
    }
  }

  async #open([place = '', page]: string[]): Promise<void> {
    const entry = this.page.getByRole('navigation').getByRole('link', { name: place }).first();
    const group = this.page.getByRole('navigation').getByRole('button', { name: place }).first();
    const either = entry.or(group).first();
    // The group of the current page is open.
    if ((await either.getAttribute('aria-expanded')) !== 'true') await either.click();
    if (page) await this.page.getByRole('link', { name: page }).first().click();
  }

  async #enter(noun: string): Promise<void> {
    const [label = '', value = ''] = nouns[noun] ?? [];
    expect(label, noun).not.toBe('');
    await this.#fill(label, value);
  }

  async #fill(label: string, value: string): Promise<void> {
    await this.page
      .getByRole('textbox', { name: label })
      .or(this.page.getByLabel(label, { exact: true }))
      .first()
      .fill(ours.get(value) ?? value);
  }

  async #expectGreen(): Promise<void> {
    await expect(this.page.getByText('Signed in, can change accounts')).toBeVisible();
    await expect(this.page.getByText('not tried')).toHaveCount(0);
  }

  async #choose(label: string): Promise<void> {
    const radio = this.page.getByRole('radio', { name: new RegExp(`^${label}`) });
    const button = this.page.getByRole('button', { name: label, exact: true });
    await expect(radio.or(button).first()).toBeVisible();
    if (await radio.count()) await radio.first().check();
    else await button.first().click();
  }

  /**
   * The script needs root and a service manager, so only its calls are made, and the agent is
   * started, which is enough for the page.
   */
  async #paste(): Promise<void> {
    const command = this.page.getByRole('main').locator('code').first();
    await expect(command).toContainText('/agent.sh');
    const key = /KEY=(\S+)/.exec(await command.innerText())?.[1];
    const post = async (path: string, body: object) => {
      const reply = await fetch(`${url}/api/servers/awaited/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return reply.json();
    };
    const call = { key, api_port: at.agent, port: 12_000, agent_version: '1.4.0' };
    const { username, password } = await post('call', call);
    await run(
      `AGENT_DIR='${join(room, 'agent')}' AGENT_PORT=${at.agent} AGENT_USERNAME='${username}' AGENT_PASSWORD='${password}' npm run agent`,
      /listening on/,
    );
    await post('ready', { key });
  }
}

/** Expects the settings with which `npm start` limits the memory of the panel. */
function expectSmallMemory(pid: string | undefined): void {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  for (const [name, value] of Object.entries(memorySettings)) {
    expect(environment).toContain(`${name}=${value}`);
  }
}

/** Expects that a card server that reads the agent's file accepts the line. */
async function expectLogin(folder: string, login: Login): Promise<void> {
  let reader: Oscam | undefined;
  try {
    reader = await startOscam({ file: join(folder, 'oscam.user') });
    const line = { host: '127.0.0.1', port: reader.ports.cccam, ...login };
    await expect.poll(async () => (await tryLogin(line)).outcome).toBe('accepted');
  } finally {
    await reader?.kill();
  }
}

/** Starts the card server of README's settings file, on other ports. */
async function startOscamOf(settings: Map<string, string>): Promise<Oscam> {
  const { httpuser: user = '', httppwd: password = '' } = Object.fromEntries(settings);
  expect(settings.get('httpallowed')).toBe('127.0.0.1');
  const started = await startOscam({ file: join(room, 'oscam.user'), user, password });
  ours.set(settings.get('port') ?? '', String(started.ports.cccam));
  ours.set(settings.get('httpport') ?? '', String(started.ports.webif));
  return started;
}

// The tests follow the guide in its order: each one continues where the one before it stopped.
test.describe.configure({ mode: 'serial' });
test.setTimeout(600_000);
test.beforeAll(async () => {
  for (const name of ['panel', 'agent'] as const) at[name] = await freePort();
  await writeFile(join(room, 'settings'), '');
});
test.afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null || !child.pid) continue;
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
  await oscam?.kill();
  await rm(room, { recursive: true, force: true });
});

/** Runs README's command that logs in with a line, at `port` instead of its own, and expects what the demo's step prints. */
async function expectAccepted(tryLine: string, port: string, login: string): Promise<void> {
  const here = (text: string) => text.replace(/\b12\d{3}\b/, port);
  const [, printed = ''] = /prints `([^`]+)`/.exec(login) ?? [];
  expect(printed).not.toBe('');
  expect(await run(here(tryLine), /(accepted|refused|cannot)/)).toContain(here(printed));
}

test('README leads from the clone to a line of the demo that logs in', async ({ browser }) => {
  const { steps, commands } = sectionOf('README.md', 'Try the demo');
  const [demo = '', tryLine = ''] = commands;
  expect(demo).toBe('npm run demo\n');
  const said = await run('env -u DATA_DIR PORT=0 npm run demo', /Ctrl-C/);
  const [, address = ''] = /^The demo is at (\S+)$/m.exec(said) ?? [];
  const [, port = ''] = /C: 127\.0\.0\.1 (\d+) /.exec(said) ?? [];
  const [, signIn = '', line = '', login = ''] = steps;
  const [, email = '', password = ''] = /`([^`]+)` with `([^`]+)`/.exec(signIn) ?? [];
  const page = await browser.newPage({ baseURL: address });
  await signInByForm(page, { email, password });
  await new Follower(page).follow(line);
  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await expectAccepted(tryLine, port, login);
  await page.close();
});

test('README leads to a line on an OSCam that logs in', async ({ browser }) => {
  const { steps, commands, settings } = sectionOf('README.md', 'Use your own OSCam');
  const [start = '', tryLine = ''] = commands;
  oscam = await startOscamOf(settings);
  const said = await run(start, /^Linekeeper is running at /m);
  const toldAs = (words: string) => new RegExp(`^${words} (\\S+)$`, 'm').exec(said)?.[1] ?? '';
  url = toldAs('Linekeeper is running at');
  expectSmallMemory(/"pid":(\d+)/.exec(said)?.[1]);
  const email = toldAs('Administrator:');
  expect(steps[1]).toContain(`the password of \`${email}\``);
  adminPage = await browser.newPage({ baseURL: url });
  await signInByForm(adminPage, { email, password: toldAs('Password:') });

  const follower = new Follower(adminPage);
  const [, , line = '', login = ''] = sectionOf('README.md', 'Try the demo').steps;
  for (const step of [steps[2] ?? '', line]) await follower.follow(step);
  await expect(adminPage.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await expectAccepted(tryLine, ours.get('12000') ?? '', login);
});

test('the guide to the agent leads to a server on which lines are sold', async () => {
  const { steps } = sectionOf('docs/how-to/agent.md', 'Install it');
  const follower = new Follower(adminPage);
  for (const step of steps) await follower.follow(step.split('The command needs')[0] ?? '');
  await expect(adminPage.getByText('Active', { exact: true }).first()).toBeVisible();
  // Until the reload, the next line goes to the server of the line before.
  await adminPage.reload();
  const login = { username: 'second-line', password: 'amber-heron-7' };
  ours.set('first-line', login.username);
  await follower.follow(sectionOf('README.md', 'Try the demo').steps[2] ?? '');
  await expect(adminPage.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await expectLogin(join(room, 'agent'), login);
});

test('a seller to whom no server is offered tells an administrator', async ({ browser }) => {
  const { request } = adminPage;
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const data = { ...seller, group_id: '2', credits: 100 };
  expect((await request.post('/api/accounts', { data, headers })).status()).toBe(201);
  const { items } = await (await request.get('/api/servers')).json();
  for (const { id } of items) {
    const data = { closed_to_new_lines: true };
    const reply = await request.patch(`/api/servers/${id}`, { data });
    expect(reply.status()).toBe(200);
  }
  const page = await browser.newPage({ baseURL: url });
  await signInByForm(page, seller, '/users/add');
  await page.getByRole('link', { name: 'Ask an administrator' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('No active server accepts new lines');
});
