import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../../shared/data/settings.ts';
import { type FileOutcome, sizeProblem } from './read-file.ts';
import type { ReadRequest } from './read-file.worker.ts';

/** Reads a file in a worker. Another file, `cancel` or leaving the page stops the current one. */
export function useReadFile(onRead: (outcome: FileOutcome) => void) {
  const { i18n } = useTranslation();
  const today = useToday();
  const worker = useRef<Worker>(undefined);
  const [reading, setReading] = useState<string>();
  const cancel = () => {
    worker.current?.terminate();
    setReading(undefined);
  };
  useEffect(() => () => worker.current?.terminate(), []);
  const read = (file: File) => {
    cancel();
    const problem = sizeProblem(file.size);
    if (problem) return onRead({ problem });
    const reader = new Worker(new URL('./read-file.worker.ts', import.meta.url), {
      type: 'module',
    });
    const end = (outcome: FileOutcome) => {
      cancel();
      onRead(outcome);
    };
    reader.addEventListener('message', ({ data }: MessageEvent<FileOutcome>) => end(data));
    // The worker could not be loaded or ran out of memory.
    reader.addEventListener('error', () => end({ problem: { kind: 'unreadable' } }));
    reader.postMessage({ file, language: i18n.language, today } satisfies ReadRequest);
    worker.current = reader;
    setReading(file.name);
  };
  return { reading, read, cancel };
}
