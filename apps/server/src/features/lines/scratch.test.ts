import { afterAll, beforeAll, expect, test, inject } from 'vitest';
import pg from 'pg';
import { newLine } from '../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  await panel.addServer(agent.url);
});
const trial = (name: string) => newLine(name, { subscription_months: undefined, is_trial: true });
test('x', async () => {
  const { client } = await panel.reseller({ credits: 0 });
  const t0=Date.now();
  const c = new pg.Client(inject('postgresUrl')); await c.connect();
  const timer = setInterval(async () => {
    const {rows} = await c.query("select pid, state, wait_event_type, wait_event, left(query,90) q, pg_blocking_pids(pid) b from pg_stat_activity where datname like 'test_%'");
    console.log(Date.now()-t0, JSON.stringify(rows,null,0), panel.services.connection.poolState());
  }, 4000);
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) => client.post('/api/lines', trial(`race${index}`)).then(r=>{console.log(Date.now()-t0, r.status, r.body.message); return r})),
  );
  clearInterval(timer);
}, 60000);
