import { readFileSync } from 'node:fs';
import { settingNames as agentsNames } from '@linekeeper/agent/settings.ts';
import { misspeltSettings } from '@linekeeper/settings-file';
import { expect, test } from 'vitest';
import { settingNames } from './config.ts';

test.each([
  ['TRUST_PROXIES', 'TRUST_PROXY'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['Port', 'PORT'],
  ['ADMIN_PASWORD', 'ADMIN_PASSWORD'],
])('%s was meant to be %s', (name, meant) => {
  const text = `# ${name}=1\n${name}=1\nDATA_DIR=x\n${name}=2`;
  expect(misspeltSettings(text, settingNames)).toEqual([{ name, meant }]);
});

test('settings of panel, agent, compose and other programs are none of each other misspelt', () => {
  const example = readFileSync(new URL('../../../../../.env.example', import.meta.url), 'utf8');
  const others = ['PATH', 'TZ', 'PGHOST', 'PGPORT', 'NODE_OPTIONS', 'POSTGRES_PASSWORD'];
  const every = [...settingNames, ...agentsNames, ...others].map((name) => `${name}=1\n`).join('');
  for (const text of [every, example.replace(/^# (?=[A-Z_]+=)/gm, '')]) {
    expect(misspeltSettings(text, settingNames)).toEqual([]);
    expect(misspeltSettings(text, agentsNames)).toEqual([]);
  }
});
