import { keptListsName } from '../browser/kept-lists-name.ts';

/** What a query was answered last, by its hash. */
export interface KeptReply {
  hash: string;
  accountId: string;
  build: string;
  at: number;
  /** Characters of the data as JSON. */
  size: number;
  data: unknown;
}

const STORE = 'replies';
const BY_AGE = 'by-age';
const DAY_MS = 86_400_000;
export const limits = {
  replies: 150,
  /** Maximum characters of all replies together, and of a single reply. */
  size: 5_000_000,
  replySize: 1_000_000,
  ageMs: 7 * DAY_MS,
};

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(keptListsName, 1);
  request.onupgradeneeded = () => {
    const store = request.result.createObjectStore(STORE, { keyPath: 'hash' });
    // Age and size can so be read without the data.
    store.createIndex(BY_AGE, ['at', 'size']);
  };
  const database = await resultOf(request);
  // Whoever signs out elsewhere deletes it, which must not wait for this page.
  database.onversionchange = () => database.close();
  return database;
}

async function inDatabase<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await work(transaction.objectStore(STORE));
    await done;
    return result;
  } finally {
    database.close();
  }
}

/** Deletes what is too old, and the oldest where there is too much. */
function prune(store: IDBObjectStore, now: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let replies = 0;
    let size = 0;
    const request = store.index(BY_AGE).openKeyCursor(null, 'prev');
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return resolve();
      const [at, ownSize] = cursor.key as [number, number];
      replies += 1;
      size += ownSize;
      const isTooMuch = replies > limits.replies || size > limits.size;
      if (isTooMuch || now - at > limits.ageMs) store.delete(cursor.primaryKey);
      cursor.continue();
    };
  });
}

export function keepReplies(replies: readonly Omit<KeptReply, 'size'>[]): Promise<void> {
  return inDatabase('readwrite', async (store) => {
    for (const reply of replies) {
      const size = JSON.stringify(reply.data).length;
      if (size <= limits.replySize) store.put({ ...reply, size });
    }
    await prune(store, Date.now());
  });
}

/** Only of the same account and the same build, whose code knows the shape, and not too old. */
export async function readReply(
  hash: string,
  { accountId, build }: Pick<KeptReply, 'accountId' | 'build'>,
): Promise<KeptReply | undefined> {
  const reply = await inDatabase<KeptReply | undefined>('readonly', (store) =>
    resultOf(store.get(hash)),
  );
  const isOwn = reply?.accountId === accountId && reply.build === build;
  return isOwn && Date.now() - reply.at <= limits.ageMs ? reply : undefined;
}
