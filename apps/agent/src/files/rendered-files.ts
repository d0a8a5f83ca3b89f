import { bytesOf, readableOf } from '@linekeeper/oscam/bytes.ts';
import { coalesce } from '../coalesce.ts';
import { causeOf } from '../log.ts';
import { refusalOf } from '../refusal.ts';
import { AccountFile, type FileOptions } from './account-file.ts';
import type { Denied } from './atomic-write.ts';
import { cccam } from './cccam-cfg.ts';
import type { Row } from './formats.ts';
import { oscam } from './oscam-user.ts';

const FORMATS = [cccam, oscam];
export const RENDERED_NAMES = FORMATS.map(({ fileName }) => fileName);
/** Interval in ms of checks for late writes to replaced files and for removed locks. */
const LOOK_MS = 100;
/** Most looks for late writes before the agent ends, because another program may append without pause. */
const MOST_LAST_LOOKS = 5;

/** Bytes of a name that a CCcam client sends and card servers compare. */
const SENT_BYTES = 20;
/** Bytes of names in a response, at most, which leaves room for other fields within the 64 KiB that a panel reads. */
const MOST_NAME_BYTES = 40 * 1024;

type OperatorRows = { file: string; rows: Row[] };

type Options = FileOptions & {
  today(): string;
  /** The number of the newest committed change. */
  mark(): number;
  /** Called when the files have every change up to number `mark`; `isChanged` if they were written since the last call. */
  onRendered(mark: number, isChanged: boolean): void;
};

export type RenderedFiles = ReturnType<typeof openRenderedFiles>;

/** The operator's own rows. Each call throws 500 `FILE_NOT_WRITTEN` or `FILE_NOT_READ` for a file that it cannot read. */
function openOperatorRows(files: AccountFile[]) {
  async function collect(read: (file: AccountFile) => Promise<Row[]>) {
    const found: OperatorRows[] = [];
    for (const file of files) found.push({ file: file.name, rows: await read(file) });
    return found.filter(({ rows }) => rows.length > 0);
  }

  const operatorRows = (username: string) => collect((file) => file.operatorRows(username));
  const allOperatorRows = () => collect((file) => file.allOperatorRows());

  return {
    operatorRows,

    /** The file in which the operator keeps this name; undefined if none. */
    async fileWithRow(username: string): Promise<string | undefined> {
      return (await operatorRows(username))[0]?.file;
    },

    /**
     * The file in which the operator has another name with the same first 20 bytes, which CCcam clients send alike;
     * undefined if there is none.
     */
    async fileWithSameStart(username: string): Promise<string | undefined> {
      const name = bytesOf(username);
      const sent = name.slice(0, SENT_BYTES);
      const isShared = (row: Row) => row.name !== name && row.name.startsWith(sent);
      if (name.length < SENT_BYTES) return undefined;
      return (await allOperatorRows()).find(({ rows }) => rows.some(isShared))?.file;
    },

    /**
     * The number of the operator's rows, and their names; null instead of the names if they do not fit into a response.
     */
    async countOperatorRows(): Promise<{ by_hand: number; names_by_hand: string[] | null }> {
      const rows = (await allOperatorRows()).flatMap((found) => found.rows);
      const names = [...new Set(rows.map(({ name }) => readableOf(name)))];
      const bytes = Buffer.byteLength(JSON.stringify(names));
      return { by_hand: rows.length, names_by_hand: bytes > MOST_NAME_BYTES ? null : names };
    },

    async isRowInComment(username: string): Promise<boolean> {
      for (const file of files) if (await file.isRowInComment(username)) return true;
      return false;
    },
  };
}

/** The card servers' files, written again after changes, at midnight, and after other programs wrote to them. */
export function openRenderedFiles({ today, mark, onRendered, ...options }: Options) {
  const { folder, log } = options;
  let renderedDay: string | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const files = FORMATS.map((format) => new AccountFile(format, options));

  async function renderAll(): Promise<void> {
    const day = today();
    const departed = folder.store.departed();
    const marked = mark();
    // A file that cannot be written does not block the other file.
    const results = await Promise.allSettled(files.map((file) => file.write(day)));
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [`${RENDERED_NAMES[index]} (${causeOf(result.reason)})`] : [],
    );
    if (failures.length > 0) {
      renderedDay = undefined;
      const denied = files.map((file) => file.refused).find(Boolean);
      const data = { file: failures.join(' and '), ...denied };
      const failure = refusalOf(500, 'FILE_WRITTEN_LATER', data);
      log({ level: 'error', message: failure.message });
      throw failure;
    }
    renderedDay = day;
    folder.store.forgetDeparted(departed);
    const isChanged = files.some(({ isWritten }) => isWritten);
    onRendered(marked, isChanged);
    for (const file of files) file.isWritten = false;
  }

  const renderSoon = coalesce(renderAll);

  /** Writes the files. Throws 500 `FILE_WRITTEN_LATER`. */
  function render(): Promise<void> {
    const done = renderSoon();
    running = done.catch(() => {});
    return done;
  }

  const hasLateWrites = () => files.some((file) => file.hasLateWrites());
  let looks: NodeJS.Timeout | undefined;
  const look = () => {
    for (const file of files) file.keepLock();
    if (hasLateWrites()) render().catch(() => {});
  };

  return {
    ...openOperatorRows(files),

    /** Resolves when the files contain everything committed before this call. Throws 500 `FILE_WRITTEN_LATER`. */
    render,

    /** True after a new day has begun, the last attempt has failed, or another program wrote a file. */
    isDue: (): boolean => renderedDay !== today() || files.some((file) => file.isChangedByOthers()),

    /** The first file that the agent may not write; null if it may write all. */
    notWritten: (): Denied | null => files.map((file) => file.denied()).find(Boolean) ?? null,

    /** Opens the files, also after a kill. Throws if one belongs to another agent, or cannot be replaced. */
    async requireAlone(): Promise<void> {
      for (const file of files) await file.requireAlone();
      // The interval starts only here, because an earlier write would mistake a file for one that it has not read.
      looks = setInterval(look, LOOK_MS).unref();
    },

    /** Waits for the current write and merges late writes. */
    async close(): Promise<void> {
      clearInterval(looks);
      await running;
      for (let count = 0; count < MOST_LAST_LOOKS && hasLateWrites(); count += 1) {
        await render().catch(() => {});
      }
      for (const file of files) await file.close();
    },
  };
}
