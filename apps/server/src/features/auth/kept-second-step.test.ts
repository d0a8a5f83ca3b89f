import { beforeAll, describe, expect, test } from 'vitest';
import { challengeOf, codeOf, secondStep, turnOn } from '../../testing/accounts/two-factor.ts';
import { TestClient } from '../../testing/client.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

describe('a sign-in that waits is kept by the browser', () => {
  const pending = '/api/auth/two-factor/pending';

  test('in a cookie that no script reads, as long as it lives', async () => {
    const seller = await panel.reseller();
    const { secret } = await turnOn(panel.services.db, seller);
    const challenge = await challengeOf(panel.url, seller);
    const client = new TestClient(panel.url);
    const kept = await client.post(pending, { challenge });
    expect([kept.status, Object.keys(kept.body)]).toEqual([200, ['seconds_left']]);
    expect(kept.body.seconds_left).toBeGreaterThan(240);
    expect(kept.body.seconds_left).toBeLessThanOrEqual(300);
    const header = kept.headers.get('set-cookie') ?? '';
    expect(header).toMatch(
      /^linekeeper\.second-step=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax/,
    );
    const cookie = header.split(';')[0] ?? '';
    const read = () => client.send('GET', pending, undefined, { cookie });
    expect(await read()).toMatchObject({ status: 200, body: { challenge, email: seller.email } });
    // The cookie alone gives access to nothing.
    expect((await client.send('GET', '/api/me', undefined, { cookie })).status).toBe(401);
    const code = await codeOf(panel.services.db, secret);
    expect((await secondStep(client, { challenge, code })).status).toBe(200);
    expect((await read()).body.code).toBe('CHALLENGE_ENDED');
  });

  test('and neither kept nor told where it is unknown or over', async () => {
    const client = new TestClient(panel.url);
    const unknown = await client.post(pending, { challenge: 'x'.repeat(43) });
    expect([unknown.status, unknown.body.code]).toEqual([401, 'CHALLENGE_ENDED']);
    expect(unknown.headers.get('set-cookie')).toBeNull();
    for (const cookie of ['', 'linekeeper.second-step=', 'linekeeper.second-step=nonsense']) {
      const reply = await client.send('GET', pending, undefined, { cookie });
      expect([reply.status, reply.body.code]).toEqual([401, 'CHALLENGE_ENDED']);
    }
  });
});
