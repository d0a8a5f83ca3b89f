import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { arrayOf, moment, numberInQuery } from '../fields/fields.ts';
import { findingReply } from '../findings.ts';
import { serverStatuses } from '../lists/lists.ts';
import { ofServer } from './choices.ts';

export const listServerChecks = endpoint('listServerChecks', 'GET /api/servers/{id}/checks', {
  ...ofServer,
  summary: 'List the checks of a card server',
  description: 'Lists the checks of the last day, oldest first.',
  query: z.object({ hours: numberInQuery(1, 30 * 24).default(24) }),
  output: z.object({
    items: arrayOf({
      checked_at: moment,
      status: z.enum(['active', 'error']),
      latency_ms: z.number().int().nullable(),
      ...findingReply,
    }),
  }),
});
export type ServerCheck = z.output<typeof listServerChecks.output>['items'][number];

const healthRanges = ['24h', '30d'] as const;
export type HealthRange = (typeof healthRanges)[number];

/**
 * The state of a server in a period: `slow` if its responses took three times as long as usual,
 * `down` if checks failed, `unknown` without checks.
 */
export const healthStates = ['up', 'slow', 'down', 'unknown'] as const;
export type HealthState = (typeof healthStates)[number];

const counted = { checks: z.number().int(), failed: z.number().int() };
const figures = {
  ...counted,
  uptime: z.number().nullable(),
  latency_ms: z.number().int().nullable(),
};

const healthPart = z.object({
  from: moment,
  to: moment,
  ...counted,
  latency_ms: z.number().int().nullable(),
  state: z.enum(healthStates),
});
export type HealthPart = z.output<typeof healthPart>;

const incident = z.object({
  id: z.string(),
  began_at: moment,
  ended_at: moment.nullable(),
  failed: z.number().int(),
  ...findingReply,
});
export type Incident = z.output<typeof incident>;

export const serverHealth = endpoint('serverHealth', 'GET /api/servers/{id}/health', {
  ...ofServer,
  summary: 'Get the availability of a card server',
  description:
    "Returns uptime, latencies and incidents. `range=24h` has parts of half an hour, `range=30d` has days in the panel's time zone. Uptime is a share of the checks made; parts without a check are left out. Latencies are medians. The newest 100 incidents are included, each from its first failed check to the first successful one.",
  query: z.object({ range: z.enum(healthRanges).default('24h') }),
  output: z.object({
    range: z.enum(healthRanges),
    ...figures,
    slow_from_ms: z.number().int().nullable(),
    parts: z.array(healthPart),
    incidents: z.array(incident),
    incident_count: z.number().int(),
  }),
});
export type ServerHealth = z.output<typeof serverHealth.output>;

export const serversHealth = endpoint('serversHealth', 'GET /api/servers/health', {
  summary: 'Get the availability of all card servers',
  description:
    'Returns the availability over 24 hours and 30 days. Servers that need attention come first.',
  access: 'admin',
  output: z.object({
    day_from: moment,
    items: arrayOf({
      id: z.string(),
      server_name: z.string(),
      status: z.enum(serverStatuses),
      day: z.object({
        ...figures,
        /** States of the last 48 half hours, oldest first. */
        parts: z.array(z.enum(healthStates)),
      }),
      month: z.object({ ...figures, incident_count: z.number().int() }),
      down_since: moment.nullable(),
    }),
  }),
});
export type ServersHealth = z.output<typeof serversHealth.output>;
export type HealthSummary = z.output<typeof serversHealth.output>['items'][number];
