import { expect, test } from 'vitest';
import { readReloadSettings } from './settings.ts';
import { spawnAgent, temporaryFolder } from './testing.ts';

const URL_ALONE = { OSCAM_WEBIF_URL: 'https://127.0.0.1:8888' };
const SOUND = { ...URL_ALONE, OSCAM_WEBIF_USER: 'operator', OSCAM_WEBIF_PASSWORD: 'geheim' };
const DIGITS = '0a1B'.repeat(16);

test('settings that cannot work are refused in words that repeat no password', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ OSCAM_WEBIF_USER: 'operator' }, /^OSCAM_WEBIF_USER is set without OSCAM_WEBIF_URL$/],
    [{ OSCAM_WEBIF_PASSWORD: 'geheim' }, /^OSCAM_WEBIF_PASSWORD is set without/],
    [{ OSCAM_WEBIF_FINGERPRINT: DIGITS }, /^OSCAM_WEBIF_FINGERPRINT is set without/],
    [{ ...URL_ALONE, OSCAM_WEBIF_USER: 'operator' }, /belong together/],
    [{ ...URL_ALONE, OSCAM_WEBIF_PASSWORD: 'geheim' }, /belong together/],
    [{ ...SOUND, OSCAM_WEBIF_USER: 'a,b' }, /^OSCAM_WEBIF_USER must not contain/],
    [{ ...SOUND, OSCAM_WEBIF_USER: 'a"b' }, /^OSCAM_WEBIF_USER must not contain/],
    [{ OSCAM_WEBIF_URL: '127.0.0.1:8888' }, /'127.0.0.1:8888' is not an address: give one as http/],
    [{ OSCAM_WEBIF_URL: 'ftp://127.0.0.1' }, /is not an address/],
    [{ OSCAM_WEBIF_URL: 'http://127.0.0.1:8888/status.html' }, /must end with the port/],
    [{ OSCAM_WEBIF_URL: 'http://op:geheim@127.0.0.1:8888' }, /must not hold a name or a password/],
    [{ ...SOUND, OSCAM_WEBIF_FINGERPRINT: 'AB:CD' }, /is not the SHA-256 of a certificate/],
    [{ ...SOUND, OSCAM_WEBIF_FINGERPRINT: 'g'.repeat(64) }, /is not the SHA-256/],
    [
      { OSCAM_WEBIF_URL: 'http://127.0.0.1:8888', OSCAM_WEBIF_FINGERPRINT: DIGITS },
      /needs https in OSCAM_WEBIF_URL/,
    ],
    [{ RELOAD_COMMAND: 'sh -c "exit' }, /has a quote that is not closed/],
  ];
  for (const [env, message] of cases) {
    expect(() => readReloadSettings(env), JSON.stringify(env)).toThrow(message);
    expect(() => readReloadSettings(env)).not.toThrow('geheim');
  }
});

test('settings that can work are read, and empty ones count as absent', () => {
  expect(readReloadSettings({})).toEqual({});
  const empty = { OSCAM_WEBIF_URL: '', OSCAM_WEBIF_USER: '', RELOAD_COMMAND: '' };
  expect(readReloadSettings(empty)).toEqual({});
  const fingerprint = (DIGITS.toUpperCase().match(/../g) ?? []).join(':');
  for (const given of [DIGITS, fingerprint, `SHA256 Fingerprint=${fingerprint}`]) {
    const { webif } = readReloadSettings({ ...SOUND, OSCAM_WEBIF_FINGERPRINT: given });
    expect(webif).toEqual({
      url: new URL('https://127.0.0.1:8888'),
      user: 'operator',
      password: 'geheim',
      fingerprint,
    });
  }
  expect(readReloadSettings({ RELOAD_COMMAND: 'sh -c "exit 0"' })).toEqual({
    command: ['sh', '-c', 'exit 0'],
  });
});

test('an agent with such a setting does not start', async () => {
  const env = { AGENT_DIR: temporaryFolder(), OSCAM_WEBIF_URL: 'oscam:8888' };
  const child = await spawnAgent(env);
  expect([child.url, (await child.ended).code]).toEqual([undefined, 1]);
  expect(child.errors()).toMatch(/^Agent could not start: OSCAM_WEBIF_URL 'oscam:8888' .*\n$/);
});
