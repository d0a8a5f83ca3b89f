import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

/** A number above that of the rows that the dashboard shows separately. */
const DELETED = 6;

test('deletions that a card server has not taken are said to administrators', async ({
  page,
  admin,
  addServer,
}) => {
  await cardServer.start();
  const server_name = `Gone ${unique()}`;
  const server_id = await addServer(server_name, cardServer);
  const sold = [];
  for (let number = 0; number < DELETED; number++) {
    const username = `kept-${number}-${unique()}`;
    const line = { username, password: 'tulip-harbor-1', subscription_months: 1 };
    sold.push(await admin.post('/api/lines', { ...line, server_id }));
  }
  await cardServer.stop();
  for (const { line } of sold) await admin.delete(`/api/lines/${line.id}`);

  await signIn(page, 'admin');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  // The deletions only wait for a server that is offline, so none has failed: they are part of the server's row.
  const row = attention
    .getByRole('listitem')
    .filter({ hasText: `${server_name} is not responding` });
  await expect(row).toContainText(
    `still has ${DELETED} deleted or moved lines, which are removed once it responds`,
  );
  await expect(attention).not.toContainText('still on their server');
  await expectAccessible(page);

  await cardServer.start();
  await admin.post(`/api/servers/${server_id}/test`);
  await page.goto('/');
  await expect(row).toHaveCount(0);
});
