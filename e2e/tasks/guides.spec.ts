import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { tryLogin } from '../../packages/oscam/src/cccam-login.ts';
import { type Oscam, startOscam } from '../../packages/oscam/src/testing/oscam.ts';
import { memorySettings } from '../../scripts/memory.mjs';
import { freePort } from '../support/free-port.ts';
import { signInByForm } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

// What README and the guide to the agent say is done as their text has it, on a panel of its own: a step that is
// missing, and a label that the panel does not have, fail.

const root = join(import.meta.dirname, '../..');
const seller = { email: 'seller@example.org', password: 'heron-on-the-lake-9' };
/** What is typed for "a name" and other nouns, each with its field's label. */
const nouns: Record<string, [label: string, value: string]> = {
  'a name': ['Server name', 'Frankfurt 1'],
  'an email': ['Email', seller.email],
  'a password': ['Password', seller.password],
  '100 credits': ['Starting credits', '100'],
  'a username': ['Username', 'first-line'],
};
const fields: Record<string, string> = { host: 'Host', username: 'Username', password: 'Password' };

/** The steps of a section, each in one line and without its commands, and the commands. */
function sectionOf(file: string, heading: string): { steps: string[]; commands: string[] } {
  const all = readFileSync(join(root, file), 'utf8');
  const [, section = ''] = all.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  const fence = /^ *```sh\n(.*?)^ *```$/gms;
  const commands = [...body.matchAll(fence)].map(([, command = '']) => command);
  const steps = body.replace(fence, '').split(/^\d+\. /m);
  const inOneLine = steps.map((step) => step.replace(/\s+/g, ' ').trim()).filter(Boolean);
  return { steps: inOneLine, commands };
}

const room = mkdtempSync(join(tmpdir(), 'linekeeper-guides-'));
const running: ChildProcess[] = [];
const at: { panel: number; agent: number; second: number } = { panel: 0, agent: 0, second: 0 };
let url = '';
let adminPage: Page;

/** Runs commands in the clone until their output has this, and returns the output. */
async function run(commands: string, until: RegExp): Promise<string> {
  const child = spawn('bash', ['-c', commands], {
    cwd: root,
    detached: true,
    env: {
      ...process.env,
      LINEKEEPER_SETTINGS: join(room, 'settings'),
      PORT: String(at.panel),
      DATA_DIR: join(room, 'data'),
      AGENT_DIR: join(room, 'data/agent'),
      AGENT_PORT: String(at.agent),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (text) => (said += text));
  await expect.poll(() => said, { timeout: 300_000 }).toMatch(until);
  return said;
}

/** Somebody who follows a text in a browser. */
class Follower {
  readonly #browser: Browser;
  page: Page;

  constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
  }

  /** Each pattern is an act that texts tell of, with what it does. */
  readonly #acts: [RegExp, (...said: string[]) => Promise<unknown>][] = [
    [/[Oo]pen \*([^*]+)\*/g, (path) => this.#open(path.split(' → '))],
    [
      /[Ee]nter ((?:an? \w+|\d+ credits)(?:,? (?:and )?(?:an? \w+|\d+ credits))*)/g,
      (said) => this.#enter(said),
    ],
    [/as \*([^*]+)\*[^.`]* such as `([^`]+)`/g, (label, value) => this.#fill(label, value)],
    [/[Uu]nder \*([^*]+)\*/g, (label) => this.page.locator('summary', { hasText: label }).click()],
    [
      /(host|username|password) `([^`]+)`/g,
      (field, value) => this.#fill(fields[field] ?? '', value),
    ],
    [/(?:[Cc]hoose|then) \*([^*]+)\*/g, (label) => this.#choose(label)],
    [/turn on \*([^*]+)\*/g, (label) => this.page.getByRole('switch', { name: label }).click()],
    [
      /becomes \*([^*]+)\*/g,
      (text) => expect(this.page.getByText(text, { exact: true }).first()).toBeVisible(),
    ],
    [/Sign in as the reseller in a private window/g, () => this.#signInElsewhere()],
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
    // The group of the page that one is on is open.
    if ((await either.getAttribute('aria-expanded')) !== 'true') await either.click();
    if (page) await this.page.getByRole('link', { name: page }).first().click();
  }

  async #enter(said: string): Promise<void> {
    for (const noun of said.split(/, | and /)) {
      const [label = '', value = ''] = nouns[noun.replace(/^and /, '')] ?? [];
      expect(label, noun).not.toBe('');
      await this.#fill(label, value);
    }
  }

  async #fill(label: string, value: string): Promise<void> {
    await this.page
      .getByRole('textbox', { name: label })
      .or(this.page.getByLabel(label, { exact: true }))
      .first()
      .fill(value);
    // The agent of this test has a port of its own.
    if (label === 'Host') await this.#fill('API port', String(at.agent));
  }

  async #choose(label: string): Promise<void> {
    const radio = this.page.getByRole('radio', { name: new RegExp(`^${label}`) });
    const button = this.page.getByRole('button', { name: label, exact: true });
    await expect(radio.or(button).first()).toBeVisible();
    if (await radio.count()) await radio.first().check();
    else await button.first().click();
  }

  async #signInElsewhere(): Promise<void> {
    this.page = await this.#browser.newPage({ baseURL: url });
    await signInByForm(this.page, seller);
  }

  /** The script needs root and a service manager; its calls and the agent it starts are enough for the page. */
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
    const call = { key, api_port: at.second, port: 12_000, agent_version: '1.4.0' };
    const { username, password } = await post('call', call);
    await run(
      `AGENT_DIR='${join(room, 'second')}' AGENT_PORT=${at.second} AGENT_USERNAME='${username}' AGENT_PASSWORD='${password}' npm run agent`,
      /listening on/,
    );
    await post('ready', { key });
  }
}

/** `npm start` has set what keeps a panel small. */
function expectSmallMemory(pid: string | undefined): void {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  for (const [name, value] of Object.entries(memorySettings)) {
    expect(environment).toContain(`${name}=${value}`);
  }
}

/** A card server that reads what the agent wrote takes the line. */
async function expectLogin(folder: string, username: string): Promise<void> {
  let oscam: Oscam | undefined;
  try {
    oscam = await startOscam({ file: join(folder, 'oscam.user') });
    const line = {
      host: '127.0.0.1',
      port: oscam.ports.cccam,
      username,
      password: seller.password,
    };
    await expect.poll(async () => (await tryLogin(line)).outcome).toBe('accepted');
  } finally {
    await oscam?.kill();
  }
}

test.describe.configure({ mode: 'serial' });
test.setTimeout(600_000);
test.beforeAll(async () => {
  for (const name of ['panel', 'agent', 'second'] as const) at[name] = await freePort();
  await writeFile(join(room, 'settings'), '');
});
test.afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null || !child.pid) continue;
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
  await rm(room, { recursive: true, force: true });
});

test('README leads from the clone to a line that a card server accepts', async ({ browser }) => {
  const [start = ''] = sectionOf('README.md', 'Start').commands.filter((text) =>
    text.includes('npm start'),
  );
  expect(start).toMatch(/^git clone .* linekeeper\ncd linekeeper && npm start\n$/);
  const here = start.replace(/^git clone.*\n/, '').replace('cd linekeeper', `cd '${root}'`);
  const said = await run(here, /^Linekeeper is running at /m);
  const toldAs = (words: string) => new RegExp(`^${words} (\\S+)$`, 'm').exec(said)?.[1] ?? '';
  url = toldAs('Linekeeper is running at');
  expectSmallMemory(/"pid":(\d+)/.exec(said)?.[1]);

  const { steps, commands } = sectionOf('README.md', 'Sell the first line');
  for (const command of commands) await run(command, /listening on/);
  adminPage = await browser.newPage({ baseURL: url });
  await signInByForm(adminPage, { email: toldAs('Administrator:'), password: toldAs('Password:') });
  const follower = new Follower(browser, adminPage);
  expect(steps).toHaveLength(4);
  for (const step of steps.slice(1)) await follower.follow(step);
  await expect(follower.page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  expect(steps[3]).toContain('The line is in `data/agent/CCcam.cfg`');
  await expectLogin(join(room, 'data/agent'), 'first-line');
});

test('the guide to the agent leads to a server on which lines are sold', async ({ browser }) => {
  nouns['a name'] = ['Server name', 'Warsaw 1'];
  nouns['a username'] = ['Username', 'second-line'];
  const { steps } = sectionOf('docs/how-to/agent.md', 'Install it');
  const [way = ''] = steps[0]?.split('The command needs') ?? [];
  const follower = new Follower(browser, adminPage);
  await follower.follow(way);
  await follower.follow(sectionOf('README.md', 'Sell the first line').steps[3] ?? '');
  await expect(follower.page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await expectLogin(join(room, 'second'), 'second-line');
});

test('a seller to whom no server is offered tells an administrator', async ({ browser }) => {
  const { items } = await (await adminPage.request.get('/api/servers')).json();
  for (const { id } of items) {
    const data = { closed_to_new_lines: true };
    const reply = await adminPage.request.patch(`/api/servers/${id}`, { data });
    expect(reply.status()).toBe(200);
  }
  const page = await browser.newPage({ baseURL: url });
  await signInByForm(page, seller, '/users/add');
  await page.getByRole('link', { name: 'Ask an administrator' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('No active server accepts new lines');
});
