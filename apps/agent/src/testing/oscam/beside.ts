import { join } from 'node:path';
import { type OscamOptions, startOscam } from '@linekeeper/oscam/testing/oscam.ts';
import { onTestFinished } from 'vitest';
import type { AgentOptions } from '../../agent.ts';
import { readReloadSettings } from '../../settings.ts';
import { startTestAgent, temporaryFolder } from '../../testing.ts';

const WEBIF = { user: 'operator', password: 'webif secret' };

/** Starts an OSCam with the `oscam.user` in `dir`. The test can end it; otherwise it ends with the test. */
export async function startTestOscam(options: Partial<OscamOptions> = {}, dir = temporaryFolder()) {
  const oscam = await startOscam({ ...WEBIF, file: join(dir, 'oscam.user'), ...options });
  onTestFinished(() => oscam.kill());
  const { url } = oscam;
  const settings = {
    OSCAM_WEBIF_URL: url,
    OSCAM_WEBIF_USER: WEBIF.user,
    OSCAM_WEBIF_PASSWORD: WEBIF.password,
  };
  return { ...oscam, url, dir, settings };
}

/** Milliseconds to wait for a reread, long enough for a busy machine, so that a reply contains the result. */
const REPLY_MS = 60_000;

/** Starts an agent that makes this OSCam read its file. */
export async function startAgentBeside(
  { dir, settings }: { dir: string; settings: Record<string, string> },
  options: Partial<AgentOptions> = {},
) {
  const reload = readReloadSettings(settings);
  const usual = { replyMs: REPLY_MS, retriesMs: [20] };
  const agent = await startTestAgent({ dir, reload, ...usual, ...options });
  return {
    ...agent,
    async reload() {
      const { body } = await agent.call('GET', '/');
      return body.reload as unknown as Record<string, unknown>;
    },
  };
}
