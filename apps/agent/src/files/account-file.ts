import { bytesOf, textOf } from '@linekeeper/oscam/bytes.ts';
import { causeOf, type Log } from '../log.ts';
import { refusalOf } from '../refusal.ts';
import type { Account } from '../store.ts';
import {
  ForeignBlock,
  fingerprint,
  HeldByAnother,
  readWhole,
  resolveTarget,
  statAt,
} from './atomic-write.ts';
import { type Format, linesOf, type Row } from './formats.ts';
import { type Denied, deniedAt } from './may-write.ts';
import {
  allByHand,
  byHandOf,
  type FoundRows,
  type Merged,
  mergeFile,
  parseFile,
  type Records,
} from './merge.ts';
import { type WriteOptions, WrittenFile } from './written-file.ts';

export type FileOptions = WriteOptions & {
  /** Settings of new rows beside the account, by file. */
  grants: Record<string, string>;
};

/** One card server's file of accounts, with the agent's rows among the operator's. */
export class AccountFile extends WrittenFile {
  readonly #grant: string;
  readonly #log: Log;
  /** Names of which it was said that the operator's row takes precedence. */
  readonly #warned = new Set<string>();
  /** All rows that may be the operator's, read again only after the file has changed; those of ours may be missing. */
  #seen: { print: string; rows: Promise<FoundRows> } | undefined;

  constructor(format: Format, options: FileOptions) {
    super(format, options);
    this.#grant = options.grants[format.fileName] ?? '';
    this.#log = options.log;
  }

  async render(day: string): Promise<void> {
    const { store } = this;
    const { fileName } = this.format;
    let accounts: Account[] = [];
    let merged: Merged | undefined;
    const change = (before: Buffer) => {
      // Read at once with the records of rows: a row that is taken over meanwhile belongs to no account of before.
      accounts = store.accounts();
      const byName = new Map(accounts.map((account) => [bytesOf(account.username), account]));
      merged = mergeFile(before, this.format, accounts, {
        ...this.#records(),
        instance: store.instance,
        accountOf: (name) => byName.get(name),
        isLive: ({ expiry_date }) => expiry_date >= day,
      });
      store.storeFacts(fileName, merged.facts);
      return merged.bytes;
    };
    const print = await this.write(change).catch((error: unknown) => {
      this.refused = deniedAt(this.path, error);
      throw this.#reasonOf(error);
    });
    this.refused = undefined;
    if (!merged) return;
    store.recordRows(fileName, merged.ours);
    this.#seen = { print, rows: Promise.resolve(merged.byHand) };
    this.#warnOfRowsByHand(accounts, merged.byHand);
    if (merged.broughtBack.length === 0) return;
    const names = merged.broughtBack.map(textOf).join(', ');
    const what = `rows of deleted or suspended lines were taken out again: ${names}`;
    this.warn(`${fileName} was put back to an older text, and ${what}`);
  }

  /** The reason for which the agent may not write the file, asked for before there is a change, too. */
  denied(): Denied | undefined {
    return this.refused ?? deniedAt(this.path);
  }

  async rowsByHand(username: string): Promise<Row[]> {
    return byHandOf(bytesOf(username), await this.#readRows(), this.#records());
  }

  async allRowsByHand(): Promise<Row[]> {
    return allByHand(await this.#readRows(), this.#records());
  }

  /** A row with this name that the operator switched off by making it a comment: true if there is one. */
  async isRowInComment(username: string): Promise<boolean> {
    const bytes = await readWhole(resolveTarget(this.path));
    const lines = linesOf(bytes.toString('latin1'));
    return lines.some((line) => this.format.isRowInComment(line, bytesOf(username)));
  }

  /** Warns once for each account in whose place the operator has a row. */
  #warnOfRowsByHand(accounts: Account[], byHand: FoundRows): void {
    for (const { username } of byHand.size > 0 ? accounts : []) {
      if (!byHand.has(bytesOf(username)) || this.#warned.has(username)) continue;
      this.#warned.add(username);
      this.warn(`left out of ${this.format.fileName}: the name is there by hand: ${username}`);
    }
  }

  #records(): Records {
    const { rows } = this.store;
    return {
      accountOf: (name) => {
        const username = textOf(name);
        return bytesOf(username) === name ? this.store.find(username) : undefined;
      },
      rowOf: (name) => rows.of(this.format.fileName, name),
      passwords: rows,
      grant: this.#grant,
    };
  }

  /**
   * While the other agent runs it would restore a block that the operator removes, so the message
   * must not suggest removing it.
   */
  #reasonOf(error: unknown): unknown {
    return error instanceof ForeignBlock && this.isHeldByAnother() ? new HeldByAnother() : error;
  }

  /** Throws 500 `FILE_NOT_WRITTEN` for another agent's block, and `FILE_NOT_READ` for a file that cannot be read. */
  async #readRows(): Promise<FoundRows> {
    try {
      const target = resolveTarget(this.path);
      const print = fingerprint(statAt(target));
      if (this.#seen?.print !== print) {
        const parse = (bytes: Buffer) => parseFile(bytes, this.format, this.store.instance).rows;
        // The promise is kept, not its value, so that concurrent callers share one read.
        this.#seen = { print, rows: readWhole(target).then(parse) };
      }
      return await this.#seen.rows;
    } catch (error) {
      this.#seen = undefined;
      const code = error instanceof ForeignBlock ? 'FILE_NOT_WRITTEN' : 'FILE_NOT_READ';
      const file = `${this.format.fileName} (${causeOf(this.#reasonOf(error))})`;
      const failure = refusalOf(500, code, { file, ...deniedAt(this.path, error) });
      this.#log({ level: 'error', message: failure.message });
      throw failure;
    }
  }
}
