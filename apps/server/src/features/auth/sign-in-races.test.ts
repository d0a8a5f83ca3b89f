// @module-tag thorough
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../testing/accounts/two-factor.ts';
import { TestClient } from '../../testing/client.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

describe('a sign-in beside a change', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel();
  });
  beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());

  test('has no session left that needed no code, when two-factor sign-in is turned on', async () => {
    for (let round = 1; round <= 5; round++) {
      const seller = await panel.reseller();
      const { db } = panel.services;
      const { password, email } = seller;
      const begun = await seller.client.post('/api/auth/two-factor/enable', { password });
      const code = await codeOf(db, begun.body.secret);
      const clients = Array.from({ length: 4 }, () => new TestClient(panel.url));
      const [verified] = await Promise.all([
        seller.client.post('/api/auth/two-factor/verify', { code }),
        ...clients.map((client) => client.signIn(email, password)),
      ]);
      expect(verified?.status).toBe(200);
      for (const client of clients) expect((await client.get('/api/me')).status).toBe(401);
      expect((await seller.client.get('/api/me')).status).toBe(200);
    }
  });

  test('has no session left of the password before, when that is changed', async () => {
    for (let round = 1; round <= 5; round++) {
      const seller = await panel.reseller();
      const clients = Array.from({ length: 4 }, () => new TestClient(panel.url));
      const change = { current_password: seller.password, new_password: 'a brand new password' };
      const [changed] = await Promise.all([
        seller.client.post('/api/auth/change-password', change),
        ...clients.map((client) => client.signIn(seller.email, seller.password)),
      ]);
      expect(changed?.status).toBe(200);
      for (const client of clients) expect((await client.get('/api/me')).status).toBe(401);
    }
  });
});
