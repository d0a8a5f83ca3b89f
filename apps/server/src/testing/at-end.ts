const waiting = new Set<() => Promise<void>>();

/**
 * Has what a test started end once the tests of its file have run, by `end`. The function that is returned ends it before, and
 * ends it once however often it is called.
 */
export function atEnd(end: () => Promise<unknown>): () => Promise<void> {
  const endOnce = async () => {
    if (waiting.delete(endOnce)) await end();
  };
  waiting.add(endOnce);
  return endOnce;
}

/** Ends what still runs. What was started last ends first, because it may need what was started before. */
export async function endAll(): Promise<void> {
  for (const end of [...waiting].reverse()) await end();
}
