import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { expect, test } from 'vitest';
import { credentialsOf } from './credentials.tsx';
import type { LineServer } from './line-server.ts';

const line = {
  username: 'anna',
  protocol: 'cccam',
  host_port: ['fra1.lines.example:12000'],
  expiry_date: '2027-11-21',
} as Line;

test('a line and its password become credentials for a receiver', () => {
  expect(credentialsOf(line, 'tulim-harod-92-kitel')).toEqual({
    username: 'anna',
    password: 'tulim-harod-92-kitel',
    protocol: 'CCcam',
    server: 'fra1.lines.example',
    port: '12000',
    expiry: '21-11-2027',
  });
});

test('only the last colon of an IPv6 address begins the port', () => {
  const { server, port } = credentialsOf({ ...line, host_port: ['[2001:db8::1]:12000'] }, 'x');
  expect([server, port]).toEqual(['[2001:db8::1]', '12000']);
});

test('an unknown protocol is named as it is stored', () => {
  expect(credentialsOf({ ...line, protocol: 'mgcamd' }, 'x').protocol).toBe('mgcamd');
});

test('NewCamd has a port for each CAID, so there is no single one', () => {
  const server: LineServer = {
    id: '1',
    server_name: 'Lisbon',
    host_port: 'lis1.lines.example:15000',
    protocol: 'NewCamd',
    des_key: null,
    newcamd_ports: [],
  };
  expect(credentialsOf(line, 'x', server).port).toBe('');
  const unplaced = { ...line, host_port: [] } as Line;
  expect(credentialsOf(unplaced, 'x', { ...server, protocol: 'CCcam' })).toMatchObject({
    server: 'lis1.lines.example',
    port: '15000',
  });
});
