// @module-tag thorough
import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { jobEnd, readJob, requestBulk } from '../testing/jobs.ts';
import { databases, startTestAgent } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  openTestWorld,
  spawnPanel,
} from '../testing/process/process.ts';

afterAll(endPanels);

/** More lines than a worker finishes between two polls, even on a busy machine. */
const LINES = 600;

const rows = Array.from({ length: LINES }, (_, index) => ({
  username: `row${index}`,
  password: `pw${index}`,
  subscription_months: 1,
}));

test.concurrent.each(databases)(
  'on %s a job whose panel is killed goes on, each row done once',
  async (kind) => {
    const database = await makeMigratedDatabase(kind);
    const env = { ...database.env, ...FIRST_START };
    const agent = await startTestAgent();
    const first = await spawnPanel(env);
    // A second panel runs at the same time if the database allows it, else afterwards.
    const beside = kind === 'postgres' ? await spawnPanel(env) : null;
    const { admin, reseller } = await openTestWorld(first.url, agent.url, LINES * 4);
    const { body: importing } = await requestBulk(reseller.client, { action: 'import', rows });
    const imported = await jobEnd(reseller.client, importing.job.id);
    expect(imported).toMatchObject({ done: LINES, credits: LINES * 2 });
    const ids = imported.items.map(({ line_id }) => line_id);

    // The request goes to the panel that will be killed, so that this panel starts the job.
    const request = { action: 'renew', ids, subscription_months: 1 };
    const { body } = await requestBulk(reseller.client, request);
    const id: string = body.job.id;
    const underway = await eventually(async (): Promise<Job> => {
      const job = await readJob(reseller.client, id, 'none');
      expect(job.done).toBeGreaterThan(0);
      return job;
    });
    first.child.kill('SIGKILL');
    expect((await first.ended).signal).toBe('SIGKILL');
    expect(underway.done).toBeLessThan(LINES);

    const second = beside ?? (await spawnPanel(env));
    const seller = movedTo(second.url, reseller.client);
    const job = await jobEnd(seller, id);
    expect(job).toMatchObject({
      state: 'done',
      done: LINES,
      failed: 0,
      cost: LINES * 2,
      credits: 0,
    });
    const { body: list } = await seller.get('/api/lines?limit=100&sort=username');
    const wanted = new Map(job.items.map(({ line_id, after }) => [line_id, after?.expiry_date]));
    expect(wanted.size).toBe(LINES);
    for (const line of list.items) expect(line.expiry_date).toBe(wanted.get(line.id));
    expect((await movedTo(second.url, admin).get('/ready')).status).toBe(200);
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    await agent.close();
    await database.remove();
  },
);
