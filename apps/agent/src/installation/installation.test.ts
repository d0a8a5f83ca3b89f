import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing.ts';
import { readCardServer, withSettings } from './install-step.ts';

function oscamFolder(conf: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'oscam.conf'), conf);
  return folder;
}

describe('what oscam.conf says', () => {
  test('port, and web interface with its sign-in', () => {
    const conf = `[global]
nice = -1
[CCcam]
Port = 12001
[webif]
httpport   = 8888
httpuser = adm
httppwd=it's #1
`;
    expect(readCardServer(oscamFolder(conf), '')).toEqual({
      protocol: 'CCcam',
      port: 12_001,
      webif: {
        OSCAM_WEBIF_URL: 'http://127.0.0.1:8888',
        OSCAM_WEBIF_USER: 'adm',
        OSCAM_WEBIF_PASSWORD: "it's #1",
      },
      info: {},
    });
  });

  test('a web interface with TLS and without a sign-in', () => {
    const { webif } = readCardServer(oscamFolder('[webif]\nhttpport = +8443\n'), '');
    expect(webif).toEqual({ OSCAM_WEBIF_URL: 'https://127.0.0.1:8443' });
  });

  test('NewCamd, where there is no CCcam', () => {
    const conf = '[newcamd]\nport = 15001@0500:000000\n[webif]\nhttpport = 0\n';
    expect(readCardServer(oscamFolder(conf), '')).toEqual({
      protocol: 'NewCamd',
      port: 15_001,
      webif: {},
      info: {},
    });
  });

  test('nothing, if there is no such file', () => {
    const nothing = { protocol: 'CCcam', port: null, webif: {}, info: {} };
    expect(readCardServer('', '')).toEqual(nothing);
    expect(readCardServer('/nowhere', '/nowhere/CCcam.cfg')).toEqual(nothing);
  });
});

describe('information port of CCcam', () => {
  const infoOf = (text: string) => {
    const file = join(temporaryFolder(), 'CCcam.cfg');
    writeFileSync(file, text);
    return readCardServer('', file).info;
  };

  test('is where CCcam.cfg says, with its sign-in', () => {
    const text = 'WEBINFO LISTEN PORT : 16005\nWEBINFO USERNAME : adm\nWEBINFO PASSWORD : a b\n';
    expect(infoOf(text)).toEqual({
      CCCAM_INFO_URL: 'http://127.0.0.1:16005',
      CCCAM_INFO_USER: 'adm',
      CCCAM_INFO_PASSWORD: 'a b',
    });
  });

  test('is where CCcam has it by itself, unless it is closed', () => {
    expect(infoOf('F: user pw\n')).toEqual({ CCCAM_INFO_URL: 'http://127.0.0.1:16001' });
    expect(infoOf('ALLOW WEBINFO: no\n')).toEqual({});
  });
});

test('CCcam.cfg says its port', () => {
  const file = join(temporaryFolder(), 'CCcam.cfg');
  writeFileSync(file, '# comment\nSERVER LISTEN PORT : 12500\nF: user pw\n');
  expect(readCardServer('', file)).toMatchObject({ protocol: 'CCcam', port: 12_500 });
});

describe('a settings file', () => {
  test('keeps what it has, and takes values as every reader reads them', () => {
    const before = '# My own\nTIME_ZONE=Europe/Warsaw\nAGENT_PASSWORD=old\n\n';
    const values = {
      AGENT_PASSWORD: "it's #1",
      OSCAM_WEBIF_PASSWORD: 'a $b "c" `d',
      AGENT_HOST: '::',
    };
    const text = withSettings(before, values);
    expect(text).toMatch(/^# My own\nTIME_ZONE=Europe\/Warsaw\nAGENT_PASSWORD=/);
    expect(parseEnv(text)).toEqual({ TIME_ZONE: 'Europe/Warsaw', ...values });
  });

  test('refuses what no quotes can hold', () => {
    expect(() => withSettings('', { OSCAM_WEBIF_PASSWORD: `'"$` })).toThrow('OSCAM_WEBIF_PASSWORD');
  });
});
