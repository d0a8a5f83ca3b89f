import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { expect, test } from 'vitest';
import { formsOf } from './hand-over/entered-form.ts';
import { type LineServer, receiversOfLine } from './line-server.ts';

const line = {
  username: 'anna',
  server_id: 'a',
  host_port: ['own.lines.example:12001'],
  sync_state: 'synced',
  sync_finding: null,
  suspension: null,
} as unknown as Line;

const cccam = (id: string): LineServer => ({
  id,
  server_name: id,
  host_port: `${id}.lines.example:12000`,
  protocol: 'CCcam',
  des_key: null,
  newcamd_ports: [],
});
const newcamd: LineServer = {
  ...cccam('n'),
  protocol: 'NewCamd',
  newcamd_ports: [{ port: 15000, caid: '0500' }],
};

test('a customer enters a C line for each server, at the own address of the line only for the first', () => {
  expect(receiversOfLine(line, [cccam('a'), cccam('b')], 'pw').cccam).toBe(
    'C: own.lines.example 12001 anna pw\nC: b.lines.example 12000 anna pw',
  );
});

test('servers of both protocols give the forms of both', () => {
  const servers = [cccam('a'), newcamd];
  expect(formsOf(servers)).toEqual(['cccam', 'newcamd', 'oscam_cccam', 'oscam_newcamd']);
  const { cccam: cLines, newcamd: nLines } = receiversOfLine(line, servers, 'pw');
  expect(cLines).not.toContain('\n');
  expect(nLines.map(({ port }) => port)).toEqual([15000]);
});
