import { type FileOutcome, readBytes } from './read-file.ts';

/** A request to read a file; the reply is a FileOutcome. */
export interface ReadRequest {
  file: File;
  /**
   * Language of the page; selects the code page of files without other evidence of their encoding.
   */
  language: string;
}

// Files are read in a worker, so that a large one does not block the page.
addEventListener('message', async ({ data }: MessageEvent<ReadRequest>) => {
  postMessage(await read(data));
});

async function read({ file, language }: ReadRequest): Promise<FileOutcome> {
  try {
    return readBytes(file.name, new Uint8Array(await file.arrayBuffer()), language);
  } catch {
    return { problem: { kind: 'unreadable' } };
  }
}
