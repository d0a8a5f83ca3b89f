import { connect } from 'node:net';
import { callbackify } from 'node:util';
import type pg from 'pg';
import { inTime, type Waits } from '../deadline.ts';
import { PreparingClient } from '../prepared.ts';
import type { DatabaseHosts } from './hosts.ts';

const CANCEL_REQUEST = 80_877_102;
const CANCEL_MAY_LAST_MS = 2000;

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);
type Callback<Result> = (error: Error | null, result: Result) => void;

/** Properties of pg's client that its types do not declare. */
interface Session {
  host: string;
  port: number;
  processID: number | null;
  secretKey: number | null;
  connection: {
    stream: { destroy(): void };
    on(
      event: 'parameterStatus',
      listener: (status: { parameterName: string; parameterValue: string }) => void,
    ): void;
  };
}

/** The server is a standby, which accepts no changes. */
class IsStandby extends Error {
  readonly code = 'ECONNREFUSED';
  constructor() {
    super('This PostgreSQL server is a standby');
  }
}

export type PatientConfig = Omit<pg.ClientConfig, 'connectionString'> & {
  waits: Waits;
  hosts: DatabaseHosts;
  /** Called with the error of each statement that failed. */
  onFailure?: (error: unknown) => void;
};

/**
 * A connection with a deadline for every statement. After a timeout the connection is discarded,
 * because its state is unknown, and the server is asked to cancel the statement, which would
 * otherwise occupy a connection there.
 */
export class PatientClient extends PreparingClient {
  readonly #waits: Waits;
  readonly #hosts: DatabaseHosts;
  readonly #address: string;
  readonly #onFailure: PatientConfig['onFailure'];
  #isStandby = false;

  constructor(config: PatientConfig) {
    const { waits, hosts, onFailure, ...rest } = config;
    super({ ...rest, connectionString: hosts.address });
    this.#waits = waits;
    this.#hosts = hosts;
    this.#address = hosts.address;
    this.#onFailure = onFailure;
    (this as unknown as Session).connection.on('parameterStatus', (status) => {
      if (status.parameterName !== 'in_hot_standby') return;
      this.#isStandby = status.parameterValue === 'on';
    });
  }

  /** Connects to a primary; after a failure, the next client tries the next host. */
  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    // `pool.connect` passes a callback.
    if (!callback) return this.#connectToPrimary();
    callbackify(() => this.#connectToPrimary())(callback as Callback<pg.Client>);
    return undefined;
  }

  async #connectToPrimary(): Promise<pg.Client> {
    try {
      await super.connect();
      if (this.#isStandby) throw new IsStandby();
      return this;
    } catch (error) {
      this.#hosts.passOver(this.#address);
      (this as unknown as Session).connection.stream.destroy();
      throw error;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg would have to be repeated.
  override query(...args: any[]): any {
    const ask = super.query.bind(this) as (...args: unknown[]) => Promise<unknown>;
    const callback: unknown = args.at(-1);
    if (typeof callback !== 'function') return this.#inTime(() => ask(...args));
    // `pool.query` passes a callback.
    callbackify(() => this.#inTime(() => ask(...args.slice(0, -1))))(callback as Callback<unknown>);
    return undefined;
  }

  async #inTime<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await inTime(this.#waits, ask, () => this.#giveUp());
    } catch (error) {
      this.#onFailure?.(error);
      throw error;
    }
  }

  #giveUp(): void {
    const session = this as unknown as Session;
    cancel(session);
    session.connection.stream.destroy();
  }
}

/** Sends the protocol's CancelRequest over a separate connection, without waiting for its arrival. */
function cancel({ host, port, processID, secretKey }: Session): void {
  if (processID === null || typeof secretKey !== 'number') return;
  const request = Buffer.alloc(16);
  [16, CANCEL_REQUEST, processID, secretKey].forEach((value, at) => {
    request.writeInt32BE(value, at * 4);
  });
  const socket = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port });
  socket.on('error', () => socket.destroy());
  socket.setTimeout(CANCEL_MAY_LAST_MS, () => socket.destroy());
  socket.unref();
  socket.end(request);
}
