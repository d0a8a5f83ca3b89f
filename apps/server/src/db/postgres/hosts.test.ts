import { expect, test } from 'vitest';
import { DatabaseHosts, eachHost } from './hosts.ts';

test.each([
  ['postgres://one:5432/panel', ['postgres://one:5432/panel']],
  [
    'postgres://me:se%40cret,1@one:5432,two:5433/panel?sslmode=require',
    [
      'postgres://me:se%40cret,1@one:5432/panel?sslmode=require',
      'postgres://me:se%40cret,1@two:5433/panel?sslmode=require',
    ],
  ],
  [
    'postgresql://one,two,[::1]:6000/panel',
    ['postgresql://one/panel', 'postgresql://two/panel', 'postgresql://[::1]:6000/panel'],
  ],
  ['postgres://one/panel?options=a,b', ['postgres://one/panel?options=a,b']],
  ['postgres://me:se,cret@one:5432/panel', ['postgres://me:se,cret@one:5432/panel']],
])('%s names its hosts', (connectionString, hosts) => {
  expect(eachHost(connectionString)).toEqual(hosts);
});

test('a lost host is passed over once, however many found it lost, and is tried again in turn', () => {
  const hosts = new DatabaseHosts('postgres://one,two/panel');
  const [first] = eachHost('postgres://one,two/panel') as [string];
  for (let caller = 0; caller < 3; caller++) hosts.passOver(first);
  expect(hosts.address).toBe('postgres://two/panel');
  hosts.passOver(hosts.address);
  expect(hosts.address).toBe(first);
});
