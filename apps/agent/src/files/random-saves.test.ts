// @module-tag thorough
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OscamAccount, readAccounts } from '@linekeeper/oscam/testing/accounts.ts';
import { type Oscam, startOscam } from '@linekeeper/oscam/testing/oscam.ts';
import { expect, onTestFinished, test } from 'vitest';
import { call, eventually, spawnAgent, temporaryFolder } from '../testing.ts';

const STEPS = process.env.SOAK ? 1000 : 60;
const SEED = Number(process.env.SEED ?? (process.env.SOAK ? Date.now() % 1_000_000 : 1));

const NAMES = Array.from({ length: 12 }, (_, index) => `line-${index}`);
const OWN_NAMES = Array.from({ length: 6 }, (_, index) => `own-${index}`);
/** Number of the last steps that the message of a failure shows. */
const LOGGED = 200;
const DAYS = ['2090-01-31', '2091-12-01', '2092-02-29'];
/** Settings that the operator changes on lines; OSCam keeps all others. */
const SETTINGS = ['group', 'services', 'max_connections'];
const PLAIN = { group: '1', services: '', max_connections: '1' };

/** Returns a function that gives random numbers below `limit`, in the same order for each seed. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Line = { password: string; day: string; set: Record<string, string>; isSold: boolean };

const agentDay = (iso: string) => iso.split('-').reverse().join('-');

function settingsOf(account: OscamAccount): Record<string, string> {
  return Object.fromEntries(SETTINGS.map((key) => [key, account[key] ?? '']));
}

class World {
  readonly random = randomOf(SEED);
  readonly dir = temporaryFolder();
  readonly file = join(this.dir, 'oscam.user');
  readonly lines = new Map<string, Line>();
  readonly own = new Map<string, Record<string, string>>();
  /** Calls whose reply may not have arrived yet, by name of the line. */
  readonly calls = new Map<string, Promise<void>>();
  readonly log: string[] = [];
  passwords = 0;
  oscam!: Oscam;
  agent!: Awaited<ReturnType<typeof spawnAgent>>;

  pick<T>(list: readonly T[]): T {
    return list[this.random(list.length)] as T;
  }

  newPassword(): string {
    this.passwords += 1;
    return `pw-${this.passwords}`;
  }

  async startAgent(): Promise<void> {
    this.agent = await spawnAgent({
      AGENT_DIR: this.dir,
      OSCAM_WEBIF_URL: this.oscam.url,
      TIME_ZONE: 'UTC',
    });
    expect([this.agent.url !== undefined, this.agent.errors()]).toEqual([true, '']);
  }

  /**
   * Repeats a call until its result is certain: after a kill of the agent, the test cannot know
   * whether a call had an effect.
   */
  async ask(method: string, path: string, body: object, right: number[]): Promise<void> {
    this.log.push(`${method} ${JSON.stringify(body)}`);
    for (;;) {
      const answer = await call(this.agent.url ?? '', method, path, body).catch(() => undefined);
      // This reply means that an earlier attempt stored the account, and that its reply was lost.
      const isDone = answer?.status === 409 && answer.body.code === 'USERNAME_EXISTS';
      if (answer && (isDone || right.includes(answer.status))) return;
      if (answer && answer.status < 500) {
        throw new Error(`${method} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
      }
      await sleep(20);
    }
  }

  /** Changes a line as the panel does; the next change of that line waits for this one. */
  async change(name: string): Promise<void> {
    await this.calls.get(name);
    const line = this.lines.get(name);
    const [password, day] = [this.newPassword(), this.pick(DAYS)];
    const kind = this.random(3);
    if (!line?.isSold) {
      // In three cases of four the name is sold to the customer who had it before the suspension.
      const isSame = line !== undefined && this.random(4) > 0;
      const word = isSame ? line.password : password;
      const set = isSame ? line.set : {};
      this.lines.set(name, { password: word, day, set, isSold: true });
      const body = { username: name, password: word, expiryDate: agentDay(day) };
      this.calls.set(name, this.ask('POST', '/add-user', body, [201]));
    } else if (kind === 0) {
      line.isSold = false;
      this.calls.set(name, this.ask('DELETE', '/delete-user', { username: name }, [200, 404]));
    } else if (kind === 1) {
      line.password = password;
      this.calls.set(
        name,
        this.ask('PUT', '/edit-user', { username: name, newPassword: password }, [200]),
      );
    } else {
      line.day = day;
      this.calls.set(name, this.renew(name, day));
    }
    if (this.random(2) === 0) await this.calls.get(name);
  }

  renew(name: string, day: string): Promise<void> {
    const body = { username: name, newExpiryDate: agentDay(day) };
    return this.ask('PUT', '/edit-user', body, [200]);
  }

  inMemory(name: string): OscamAccount | undefined {
    return this.oscam.accounts().find(({ user }) => user === name);
  }

  randomSettings(): Record<string, string> {
    const group = `${2 + this.random(60)}`;
    return {
      group,
      services: this.pick(['hd', 'film', '!kids']),
      max_connections: `${2 + this.random(5)}`,
    };
  }

  /** Changes a line in OSCam's web interface, as the operator does, if OSCam has the line. */
  async touch(name: string): Promise<void> {
    await this.calls.get(name);
    const line = this.lines.get(name);
    const known = this.inMemory(name);
    if (!line?.isSold || known?.pwd !== line.password) return;
    const kind = this.random(4);
    this.log.push(`touch ${name} ${kind}`);
    if (kind === 0) await this.oscam.edit(name, { disabled: '1' });
    else if (kind === 1) await this.oscam.edit(name, { pwd: this.newPassword() });
    else if (kind === 2) {
      // If the row is removed before the agent reads the file, the agent cannot know the row's
      // settings, so the line is renewed first.
      await this.renew(name, line.day);
      await this.oscam.remove(name);
    } else {
      line.set = this.randomSettings();
      this.log.push(`set ${name} ${JSON.stringify(line.set)}`);
      await this.oscam.edit(name, line.set);
    }
  }

  /** Changes a row that belongs to the operator. */
  async keep(name: string): Promise<void> {
    if (this.own.has(name) && this.random(3) === 0) {
      this.own.delete(name);
      await this.oscam.remove(name);
    } else {
      const set = {
        pwd: `own-${this.random(1000)}`,
        disabled: `${this.random(2)}`,
        ...this.randomSettings(),
      };
      this.own.set(name, set);
      await this.oscam.edit(name, set);
    }
  }

  /** Appends a row to the file, as the operator does, and makes OSCam read it. */
  async append(name: string): Promise<void> {
    if (this.own.has(name)) return;
    const set = { pwd: `own-${this.random(1000)}`, disabled: '0', ...this.randomSettings() };
    this.own.set(name, set);
    const rows = Object.entries(set).map(([key, value]) => `${key}=${value}\n`);
    appendFileSync(this.file, `\n[account]\nuser=${name}\n${rows.join('')}`);
    // If the agent was just replacing the file, the row is added to the new file a moment later.
    await eventually(() => expect(this.inFile().some(({ user }) => user === name)).toBe(true));
    await fetch(`${this.oscam.url}/userconfig.html?action=reinit&padding=of-fifty-bytes-at-least`);
  }

  inFile(): OscamAccount[] {
    return readAccounts(readFileSync(this.file, 'latin1'));
  }

  replaced(): string[] {
    return readdirSync(this.dir).filter((name) => name.includes('.linekeeper-replaced-'));
  }

  async step(): Promise<void> {
    const kind = this.random(20);
    if (kind < 8) await this.change(this.pick(NAMES));
    else if (kind < 12) await this.touch(this.pick(NAMES));
    else if (kind < 15) await this.keep(this.pick(OWN_NAMES));
    else if (kind < 16) await this.append(this.pick(OWN_NAMES));
    else if (kind < 17) await this.oscam.restart();
    else if (kind < 18) {
      await this.oscam.kill();
      await sleep(this.random(50));
      await this.oscam.start();
    } else if (kind < 19) await this.killAgent();
    else await sleep(this.random(300));
  }

  /** Kills the agent, mostly during a call and a save. */
  async killAgent(): Promise<void> {
    const under: Promise<void>[] = [];
    if (this.random(3) > 0) under.push(this.change(this.pick(NAMES)));
    if (this.random(3) > 0) under.push(this.keep(this.pick(OWN_NAMES)));
    await sleep(this.random(30));
    this.log.push('kill');
    this.agent.process.kill('SIGKILL');
    await this.agent.ended;
    await this.startAgent();
    await Promise.all(under);
  }

  wanted(): [string, object][] {
    const wanted: [string, object][] = [];
    for (const [name, { isSold, password, day, set }] of this.lines) {
      const row = { pwd: password, expdate: day, disabled: '0', ...PLAIN, ...set };
      if (isSold) wanted.push([name, row]);
    }
    for (const [name, set] of this.own) wanted.push([name, { expdate: '', ...set }]);
    return wanted.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  found(accounts: OscamAccount[]): [string, object][] {
    return accounts
      .map((account): [string, object] => {
        const { user = '', pwd = '', expdate = '', disabled = '' } = account;
        return [user, { pwd, expdate, disabled, ...settingsOf(account) }];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

test(`${STEPS} random saves, calls, restarts and kills leave file, agent and OSCam's memory the same`, async ({
  task,
}) => {
  const world = new World();
  writeFileSync(world.file, '');
  world.oscam = await startOscam({ file: world.file });
  onTestFinished(() => world.oscam.kill());
  await world.startAgent();
  try {
    for (let count = 0; count < STEPS; count += 1) await world.step();
    await Promise.all(world.calls.values());
    const wanted = world.wanted();
    await eventually(() => {
      expect(world.found(world.inFile())).toEqual(wanted);
      expect(world.found(world.oscam.accounts())).toEqual(wanted);
    });
    const { body } = await call(world.agent.url ?? '', 'GET', '/users');
    const sold = wanted.map(([name]) => name).filter((name) => NAMES.includes(name));
    const users = body.users as unknown as { username: string }[];
    expect(users.map(({ username }) => username)).toEqual(sold);
    const cccam = readFileSync(join(world.dir, 'CCcam.cfg'), 'utf8').match(/(?<=^F: ).*$/gm) ?? [];
    const lines = sold.map((name) => `${name} ${world.lines.get(name)?.password}`);
    expect(cccam.toSorted()).toEqual(lines.toSorted());
    // The agent deletes replaced files once no program has them open.
    if (process.env.SOAK) await eventually(() => expect(world.replaced()).toEqual([]));
    Object.assign(task.meta, {
      figures: { seed: `${SEED}`, 'accounts at the end': `${wanted.length}` },
    });
  } catch (error) {
    throw new Error(`SEED=${SEED}\n${world.log.slice(-LOGGED).join('\n')}`, { cause: error });
  }
}, 1_800_000);
