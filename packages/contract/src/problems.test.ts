import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { errorText } from './errors.ts';
import { newLine } from './lines/lines.ts';
import { fieldProblems, fieldTexts, requestProblem } from './problems.ts';
import { newServer, newServerBody, serverChanges } from './servers/servers.ts';

function problemsOf(schema: z.ZodType, input: unknown) {
  return fieldProblems(schema.safeParse(input).error?.issues ?? []);
}

function textOf(schema: z.ZodType, input: unknown, missing?: 'MISSING_REQUIRED_FIELDS') {
  const { code, data } = requestProblem(problemsOf(schema, input), missing);
  return errorText(code, data);
}

describe('missing fields of a server', () => {
  const complete = {
    server_name: 'Frankfurt 1',
    host_ip: '10.0.0.1',
    port: 12000,
    username: 'panel',
    password: 'secret',
  };
  const without = (...names: (keyof typeof complete)[]) =>
    Object.fromEntries(Object.entries(complete).filter(([name]) => !names.includes(name as never)));

  test.each([
    [{}, 'Missing required fields: server_name, host_ip, port, username, password'],
    [without('port', 'host_ip'), 'Missing required fields: host_ip, port'],
    [without('password', 'server_name'), 'Missing required fields: server_name, password'],
    [
      { ...complete, server_name: '  ', host_ip: '' },
      'Missing required fields: server_name, host_ip',
    ],
    [{ ...complete, port: null }, 'Missing required fields: port'],
  ])('%j: %s', (input, text) => {
    expect(textOf(newServerBody, input, 'MISSING_REQUIRED_FIELDS')).toBe(text);
  });

  test('are named before a field that is wrong', () => {
    const input = { ...without('host_ip'), port: 70_000 };
    expect(textOf(newServerBody, input, 'MISSING_REQUIRED_FIELDS')).toBe(
      'Missing required fields: host_ip',
    );
    expect(fieldTexts(problemsOf(newServerBody, input))).toEqual({
      host_ip: 'This field is required',
      port: 'CCcam port must be between 1 and 65535',
    });
  });

  test('an OSCam’s web interface may have no username and password', () => {
    const open = { ...without('username', 'password'), kind: 'oscam_webif' };
    expect(newServerBody.parse(open)).toMatchObject({ username: '', password: '' });
    expect(problemsOf(newServerBody, 'no object').size).toBe(1);
  });

  test('nothing is missing from a complete one', () => {
    expect(newServer.parse(complete)).toMatchObject({
      api_port: 3000,
      api_scheme: 'http',
      protocol: 'CCcam',
    });
  });

  test.each([0, -1, 65_536, 1.5, '12000', Number.NaN])(
    'port %j is out of range',
    { tags: ['spec:5.14', 'spec:9.11'] },
    (port) => {
      expect(textOf(newServer, { ...complete, port }, 'MISSING_REQUIRED_FIELDS')).toBe(
        'CCcam port must be between 1 and 65535',
      );
      expect(textOf(serverChanges, { port })).toBe('Port must be between 1 and 65535');
      expect(textOf(serverChanges, { api_port: port })).toBe('Port must be between 1 and 65535');
    },
  );

  test.each([1, 65_535])(
    'port %i is within the range',
    { tags: ['spec:5.14', 'spec:9.11'] },
    (port) => {
      expect(newServer.parse({ ...complete, port }).port).toBe(port);
    },
  );

  test('a server cannot lose its name', () => {
    expect(textOf(serverChanges, { server_name: '   ' })).toBe('Server name cannot be empty');
  });
});

describe('a new line', () => {
  const fit = { username: 'anna', password: 'pw', subscription_months: 1 };

  test.each([
    [{ ...fit, username: undefined }, 'Username and password are required'],
    [{ ...fit, username: '   ' }, 'Username and password are required'],
    [{ ...fit, password: '' }, 'Username and password are required'],
    [{ ...fit, password: null }, 'Username and password are required'],
    [{}, 'Username and password are required'],
    [
      { ...fit, expiry_date: '2026/11/21' },
      'Invalid expiry date format. Expected DD-MM-YYYY format.',
    ],
    [{ ...fit, expiry_date: 20261121 }, 'Invalid expiry date format. Expected DD-MM-YYYY format.'],
    [{ ...fit, server_id: '42' }, 'Invalid server ID'],
    [{ ...fit, owner_id: 'me' }, 'Invalid user ID'],
    [{ ...fit, subscription_months: '1' }, 'Choose a duration that is offered'],
    [{ ...fit, subscription_months: undefined }, 'Choose a trial or a duration'],
    [{ ...fit, is_trial: true }, 'Choose a trial or a duration'],
    [{ ...fit, email: 'nobody' }, 'Enter a valid email address'],
    [{ ...fit, name: 'x'.repeat(201) }, 'At most 200 characters'],
    [
      { ...fit, username: 'x'.repeat(64) },
      'Too long for card servers: at most 63 bytes (accented letters count as two)',
    ],
  ])('%j: %s', { tags: ['spec:5.5'] }, (input, text) => {
    expect(textOf(newLine, input)).toBe(text);
  });

  test('is fit with either form of an expiry date', () => {
    for (const expiry_date of ['21-11-2026', '2026-11-21', ' 21-11-2026 ']) {
      expect(newLine.parse({ ...fit, expiry_date }).expiry_date).toBe('2026-11-21');
    }
  });

  test.each([
    ['active', 'success'],
    ['Active', 'success'],
    ['inactive', 'warning'],
    ['expired', 'error'],
    ['paused', 'info'],
  ])(
    'status %s is shown in %s',
    { tags: ['spec:3.15', 'spec:3.16', 'spec:3.17', 'spec:3.19'] },
    (label, color) => {
      expect(newLine.parse({ ...fit, status: label }).status).toEqual([{ label, color }]);
    },
  );

  test('is not sold suspended', () => {
    const { error } = newLine.safeParse({ ...fit, status: 'suspended' });
    expect(error?.issues.map(({ message }) => message)).toEqual(['NOT_BY_STATUS']);
  });
});

test('a field is reported once, with its first problem', () => {
  const issues = [
    { path: ['name'], message: 'TOO_LONG', maximum: 200 },
    { path: ['name'], message: 'INVALID_VALUE' },
    { path: ['status', 0, 'label'], message: 'something zod says' },
  ];
  expect(fieldTexts(fieldProblems(issues))).toEqual({
    name: 'At most 200 characters',
    'status.0.label': 'Invalid value',
  });
});
