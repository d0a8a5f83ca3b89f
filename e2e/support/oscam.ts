import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  TEST_CERTIFICATE,
  TEST_KEY,
} from '../../apps/server/src/domain/machines/card-server/testing/certificate.ts';
import { startOscam } from '../../packages/oscam/src/testing/oscam.ts';

export const oscamCredentials = { user: 'panel', password: 'kestrel-42-moss' };
export const oscamFingerprint = new X509Certificate(TEST_CERTIFICATE).fingerprint256;

/** Starts an OSCam whose web interface has its own certificate, in a folder that is removed with it. */
export async function startOwnOscam() {
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-e2e-oscam-'));
  const oscam = await startOscam({
    file: join(folder, 'oscam.user'),
    tls: { key: TEST_KEY, cert: TEST_CERTIFICATE },
    ...oscamCredentials,
  });
  return {
    oscam,
    stop: async () => {
      await oscam.kill();
      await rm(folder, { recursive: true });
    },
  };
}
