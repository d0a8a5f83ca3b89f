import type { NewcamdPort } from '@linekeeper/contract/fields/receiver-fields.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import type { Reload, ServerKind } from '@linekeeper/contract/servers/servers.ts';
import type { ColumnType, Generated } from 'kysely';
import type { Json, Moment, OptionalJson, OptionalMoment } from './column-types.ts';

/** An agent's report of a reload, as stored: without its sentence, which is made from the finding. */
export type StoredReload = Omit<Reload, 'message' | 'finding'> & { finding: Finding | null };

export interface CccamServersTable {
  id: string;
  server_name: string;
  host_ip: string;
  port: number;
  /** The address that customers enter; null for `host_ip` and `port`. */
  public_host: string | null;
  public_port: number | null;
  /** 28 hexadecimal digits in small letters; null for the default key. */
  des_key: string | null;
  newcamd_ports: ColumnType<NewcamdPort[], string | undefined, string>;
  api_port: number;
  /** Host and port in a normalised form, equal for entries that have the same address. */
  machine: ColumnType<string, never, never>;
  /** Id of the card server that the entry leads to, which other entries may share; found by a trigger. */
  machine_id: Generated<string>;
  api_scheme: 'http' | 'https';
  username: string;
  /** The password with which the panel signs in at the server, encrypted. */
  password: string;
  protocol: 'CCcam' | 'NewCamd';
  status: Generated<'active' | 'inactive' | 'error'>;
  status_finding: OptionalJson<Finding>;
  latency_ms: number | null;
  user_id: string | null;
  created_at: Moment;
  updated_at: Moment;
  last_connection: OptionalMoment;
  /** Consecutive failed pushes and checks since the last success. */
  failures: Generated<number>;
  next_check_at: Moment;
  /** The id that the agent gives to its folder of accounts, or start and thread of an OSCam without an agent; null if unknown. */
  instance: string | null;
  next_count_at: Moment;
  repair_automatically: Generated<boolean>;
  repaired_at: OptionalMoment;
  /** True if no new lines are sold on it; its existing lines keep working. */
  closed_to_new_lines: Generated<boolean>;
  /** The number of lines at which it accepts no new one; null without a limit. */
  max_lines: number | null;
  /** Time when administrators were notified of an error; null after the notice of the recovery. */
  error_told_at: OptionalMoment;
  /**
   * Time when the server last changed to the status error, and time when it responded again, which
   * is null while the server is offline.
   */
  away_at: OptionalMoment;
  back_at: OptionalMoment;
  /** Number of successful checks since the last failed one. */
  good_checks: Generated<number>;
  /** How the card server loads changes, as its agent reported; null if it does not report that. */
  reload: OptionalJson<StoredReload>;
  zone: string | null;
  server_day: string | null;
  /** Usernames that the operator has in the card server's own files; null if its agent does not report them. */
  names_by_hand: string[] | null;
  /** The finding while the server's date differs from the panel's; null otherwise. */
  day_finding: OptionalJson<Finding>;
  /** Time when the panel asks a server again that had not loaded all changes; null if it has loaded them. */
  reload_look_at: OptionalMoment;
  /** The version of the server's agent; null if it has none, or has not been reached. */
  agent_version: string | null;
  kind: Generated<ServerKind>;
  /** SHA-256 of the certificate that an administrator confirmed, as AA:BB:…; null for one that is trusted as usual. */
  tls_fingerprint: string | null;
  /** True if an administrator allowed the password to cross a public network unencrypted. */
  plain_http_allowed: Generated<boolean>;
}

interface ServerPresenceTable {
  server_id: string;
  /** Time of the last successful reading of the server's sessions; null before the first one. */
  read_at: OptionalMoment;
  tried_at: Moment;
  lines_online: Generated<number>;
  /** Number of lines on this server that count as online on another one. */
  lines_elsewhere: Generated<number>;
  connections: Generated<number>;
  card_server: string | null;
  started_at: OptionalMoment;
  /** The reason why the last reading failed; null if it succeeded. */
  finding: OptionalJson<Finding>;
}

interface ServerPresenceHoursTable {
  server_id: string;
  hour: Date;
  minutes_known: number;
  line_minutes: number;
  most_online: number;
}

/** A current session, with its network as the setting keeps it; `since` as in JSON. */
export interface StoredSession {
  protocol: string | null;
  network: string | null;
  since: string | null;
  /** The server of a session, for a line on several servers. */
  server_id?: string;
}

/** A card server's counters since its start; absent if it does not report them. */
export interface StoredCounters {
  started_at: string | null;
  ok: number;
  refused: number;
  timed_out: number;
}

/** A network from which a line is online, stored as a hash that distinguishes it from others. */
export interface SeenNetwork {
  hash: number;
  is_v6: boolean;
}

/** The report of one server about a line on several servers, at its last reading. */
export interface StoredPlace {
  /** Number of connections; 0 while the line is offline there. */
  connections: number;
  since: string;
  counters: StoredCounters | null;
  networks: SeenNetwork[];
}

/**
 * A period in which a line has been online from more networks at the same time than allowed, with
 * the hashes of these networks.
 */
export interface StoredOverLimit {
  since: string;
  at: string;
  readings: number;
  networks: number[];
}

/** Facts of one sign of sharing, without a verdict. */
export interface SharingNote {
  at: string;
  connections: number;
  networks: number;
  /** The number of different networks that the line was allowed at that moment. */
  allowed: number;
}

/**
 * The column `line_presence.sharing`: a note for each time in the last week that the line was
 * online from more networks at the same time than allowed.
 */
export interface StoredSharing {
  notes: SharingNote[];
}

interface LinePresenceTable {
  line_id: string;
  server_id: string;
  connections: number;
  since: Date;
  /** Time when the line was last online; infinity while it is online. */
  last_seen_at: ColumnType<Date | number, Date, Date>;
  protocol: string | null;
  sessions: Json<StoredSession[]>;
  counters: OptionalJson<StoredCounters>;
  over_limit: OptionalJson<StoredOverLimit>;
  sharing: OptionalJson<StoredSharing>;
  /** The line's reports by id of server; null for a line on one server. */
  places: OptionalJson<Record<string, StoredPlace>>;
  /** The server on which the line is online; null for the first of its servers. */
  seen_on: string | null;
  /** True if a sign of sharing was found, and the line has not been suspended because of it yet. */
  is_to_suspend: Generated<boolean>;
}

interface LineUsageHoursTable {
  line_id: string;
  hour: Date;
  minutes_online: number;
  requests_ok: number;
  requests_refused: number;
  requests_timed_out: number;
  answer_ms: number;
  answers: number;
  most_connections: number;
  networks: Generated<number[]>;
}

/** Data that the agent sent in its first call. */
export interface StoredCall {
  /** The address that it called from. */
  host: string;
  api_port: number;
  protocol: 'CCcam' | 'NewCamd';
  /** The port of the card server's protocol; null if the installation did not find it. */
  port: number | null;
  agent_version: string;
}

/** The result of the panel's call back to an agent. */
export interface StoredFound {
  latency_ms: number | null;
  finding: Finding | null;
  reload: StoredReload | null;
  zone: string | null;
  server_day: string | null;
  day_finding: Finding | null;
}

export interface AwaitedServersTable {
  id: string;
  key_hash: string;
  account_id: string;
  server_id: string | null;
  expires_at: Moment;
  called_at: OptionalMoment;
  call: OptionalJson<StoredCall>;
  /** The agent's password, encrypted; null until the agent has called. */
  password: string | null;
  found: OptionalJson<StoredFound>;
  found_at: OptionalMoment;
  /** Time when an administrator confirmed the address from which the agent called, or when the panel recognised it. */
  confirmed_at: OptionalMoment;
  created_at: Moment;
}

interface ServerCheckHoursTable {
  server_id: string;
  hour: Date;
  checks: number;
  failed: number;
  latency_ms: number | null;
}

interface ServerIncidentsTable {
  id: string;
  server_id: string;
  began_at: Moment;
  ended_at: OptionalMoment;
  finding: OptionalJson<Finding>;
  failed: Generated<number>;
}

interface ServerChecksTable {
  id: string;
  server_id: string;
  status: 'active' | 'error';
  latency_ms: number | null;
  finding: OptionalJson<Finding>;
  checked_at: Moment;
}

interface MachinesTable {
  id: string;
}

export interface ServerTables {
  awaited_servers: AwaitedServersTable;
  cccam_servers: CccamServersTable;
  machines: MachinesTable;
  server_checks: ServerChecksTable;
  server_check_hours: ServerCheckHoursTable;
  server_incidents: ServerIncidentsTable;
  server_presence: ServerPresenceTable;
  server_presence_hours: ServerPresenceHoursTable;
  line_presence: LinePresenceTable;
  line_usage_hours: LineUsageHoursTable;
}
