import type { ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/test-call.ts';
import type { ServerCall } from '@linekeeper/contract/servers/test-call.ts';
import { EDIT, STATS } from '@linekeeper/oscam/pages.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { ServerConfiguration } from '../../domain/machines/card-server/check-connection.ts';
import type { CardServer, PushResult } from '../../domain/machines/card-server/client.ts';
import type { CardServerDriver } from '../../domain/machines/card-server/driver.ts';
import { pushFinding } from '../../domain/machines/card-server/messages.ts';
import { driverOf } from '../../domain/machines/open-driver.ts';

/** The line in a call; dates as YYYY-MM-DD. */
interface Line {
  username: string;
  password?: string;
  expiry_date?: string;
}

/** The page of OSCam's that a call ends in. */
const pages = {
  health: { method: 'GET', path: STATS },
  auth: { method: 'GET', path: STATS },
  add: { method: 'POST', path: EDIT },
  edit: { method: 'POST', path: EDIT },
  delete: { method: 'GET', path: `${STATS}&action=delete` },
} as const satisfies Record<ServerCall, { method: string; path: string }>;

const findingOf = (call: 'add' | 'edit' | 'delete', result: PushResult) =>
  result.ok ? null : pushFinding(call, result);

/** A change of what is given alone; the rest stays as OSCam has it. */
async function put(
  driver: CardServerDriver,
  call: 'add' | 'edit',
  line: Line,
  signal: AbortSignal,
) {
  const { username } = line;
  const known = (await driver.show([username], signal))?.get(username);
  const account = {
    username,
    password: line.password ?? known?.password ?? '',
    expiry_date: line.expiry_date ?? known?.expiry_date ?? '',
    is_suspended: false,
  };
  // Nothing is there to be changed, and an account without a password would be open to everybody.
  if (!account.password || !account.expiry_date) return pushFinding(call, NOTHING_THERE);
  return findingOf(call, await driver.put(account, { onServer: call === 'edit', signal }));
}

const NOTHING_THERE = { kind: 'refused', reason: 'User not found' } as const;

async function make(
  driver: CardServerDriver,
  call: ServerCall,
  line: Line,
  signal: AbortSignal,
): Promise<{ finding: Finding | null; version: string | null }> {
  if (call === 'health' || call === 'auth') return driver.test(signal);
  if (call === 'delete') {
    const options = { onServer: true, lines: [], signal };
    return { finding: findingOf(call, await driver.remove(line.username, options)), version: null };
  }
  return { finding: await put(driver, call, line, signal), version: null };
}

/** Makes a call by OSCam's web interface, which takes several pages. */
export async function callOscam(
  { outbound, stopping }: Ctx,
  server: ServerConfiguration & CardServer,
  call: ServerCall,
  line: Line,
): Promise<Omit<ReplyToSend<typeof contract.testCall>, 'ms'>> {
  const { tls_fingerprint = null, plain_http_allowed = false } = server;
  const kind = 'oscam_webif' as const;
  const driver = driverOf(outbound, { ...server, kind, tls_fingerprint, plain_http_allowed });
  const { finding, version } = await make(driver, call, line, stopping.signal);
  const { method, path } = pages[call];
  const dots = '••••••••';
  return {
    ok: finding === null,
    request: {
      method,
      url: `${server.api_scheme}://${server.host_ip}:${server.api_port}${path}`,
      headers: { authorization: `Digest ${dots}` },
      body:
        method === 'POST'
          ? {
              user: line.username,
              ...(line.password && { pwd: dots }),
              expdate: line.expiry_date ?? '',
            }
          : null,
    },
    reply: finding === null ? { status: 200, message: null, version } : null,
    ...findingWithMessage(finding),
  };
}
