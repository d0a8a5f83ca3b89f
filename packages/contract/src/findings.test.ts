import { expect, test } from 'vitest';
import { type Finding, findingText, findingWithMessage, isNoAccess } from './findings.ts';

test.each<[Finding, string]>([
  [
    { code: 'PUSH_NOT_REACHED', data: { operation: 'renew', reason: 'connection refused' } },
    'User was renewed in database but could not be renewed in CCcam server: connection refused',
  ],
  [
    { code: 'PUSH_REFUSED', data: { operation: 'delete' } },
    'Failed to delete user from CCcam server',
  ],
  [{ code: 'PUSH_REFUSED', data: { operation: 'add', words: 'Disk {full}' } }, 'Disk {full}'],
  [
    { code: 'CONFIGURATION_INCOMPLETE', data: { fields: ['host_ip', 'port'] } },
    'Server configuration is incomplete. Missing fields: host_ip, port',
  ],
  [
    { code: 'AUTHENTICATION_FAILED', data: { status: 401 } },
    'Authentication failed with status: 401',
  ],
  [{ code: 'ACCOUNTS_LOST', data: { missing: 3 } }, 'The card server has lost lines. Missing: 3'],
  [
    { code: 'PUSH_PENDING', data: { operation: 'renew' } },
    'User was renewed in database; delivery to CCcam server is pending',
  ],
  [
    { code: 'KEPT_BY_HAND', data: { operation: 'delete', file: 'CCcam.cfg' } },
    '“CCcam.cfg” still has a row written by hand for this username. Take it over in the panel, or remove it from the file.',
  ],
  [
    { code: 'SHARED_BY_HAND', data: { operation: 'add', file: 'oscam.user' } },
    '“oscam.user” has a row written by hand whose username starts with the same 20 bytes. CCcam clients send only those. Choose a different username, or change that row.',
  ],
  [
    { code: 'NOT_TAKEN', data: { cause: 'COMMAND_FAILED', exit_code: 3 } },
    'RELOAD_COMMAND ended with exit code 3. See the agent’s log on the card server.',
  ],
  [{ code: 'NOT_TAKEN', data: { words: 'As a later agent says it' } }, 'As a later agent says it'],
  [{ code: 'NOT_TAKEN', data: {} }, 'The card server has not reloaded its accounts yet.'],
  [{ code: 'IN_OTHER_WORDS', data: { words: '' } }, ''],
])('%j is said as the specification has it', (finding, text) => {
  expect(findingText(finding)).toBe(text);
  expect(findingWithMessage(finding)).toEqual({ finding, message: text });
});

test('where nothing was found nothing is said', () => {
  expect(findingWithMessage(null)).toEqual({ finding: null, message: null });
});

test('tells a server that the panel may not change from one that does not respond', () => {
  expect(isNoAccess({ code: 'PLAIN_HTTP', data: {} })).toBe(true);
  expect(isNoAccess({ code: 'OSCAM_SIGN_IN', data: {} })).toBe(true);
  expect(isNoAccess({ code: 'AUTHENTICATION_FAILED', data: { status: 401 } })).toBe(true);
  expect(isNoAccess({ code: 'AUTHENTICATION_FAILED', data: { status: 502 } })).toBe(false);
  const unreached = (reason: string) => isNoAccess({ code: 'NOT_REACHED', data: { reason } });
  expect(unreached('certificate not trusted')).toBe(true);
  expect(unreached('connection timed out')).toBe(false);
});
