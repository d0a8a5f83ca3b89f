import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OscamOptions, startOscam } from '@linekeeper/oscam/testing/oscam.ts';
import { atEnd } from '../at-end.ts';
import type { TestClient } from '../client.ts';

/** Name and password of the web interface of a test's OSCam. */
export const WEBIF = { user: 'operator', password: 'webif secret' };

/** Starts an OSCam with its own file. The OSCam runs until the test file ends, if the test does not stop it. */
export async function startOscamServer(options: Partial<OscamOptions> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'linekeeper-oscam-'));
  const oscam = await startOscam({ ...WEBIF, file: join(dir, 'oscam.user'), ...options });
  return {
    ...oscam,
    file: join(dir, 'oscam.user'),
    port: oscam.ports.webif,
    /** The account in OSCam's memory; undefined if there is none. */
    account: (username: string) => oscam.accounts().find(({ user }) => user === username),
    stop: atEnd(async () => {
      await oscam.kill();
      await rm(dir, { recursive: true, force: true });
    }),
  };
}

export type OscamServer = Awaited<ReturnType<typeof startOscamServer>>;

/** The fields of a server that the panel reaches by this web interface. */
export const webifServer = ({ port }: Pick<OscamServer, 'port'>, more: object = {}) => ({
  server_name: 'OSCam',
  kind: 'oscam_webif',
  host_ip: '127.0.0.1',
  port: 12_000,
  api_port: port,
  username: WEBIF.user,
  password: WEBIF.password,
  ...more,
});

/** Adds the server and tests it, which makes it active. */
export async function addOscamServer(
  panel: { admin: TestClient },
  oscam: Pick<OscamServer, 'port'>,
  more: object = {},
) {
  const { body } = await panel.admin.post('/api/servers', webifServer(oscam, more));
  const { id } = body.server;
  const tested = (await panel.admin.post(`/api/servers/${id}/test`)).body;
  return { id: id as string, tested };
}
