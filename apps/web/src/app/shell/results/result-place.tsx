import { useEffect } from 'react';
import { prefetchOnceUsed } from '#platform/start/later.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { type Result, useResult } from '#platform/state/results.ts';
import styles from './results.module.css';

interface ResultProps {
  result: Result;
}

/** A result in plain words, while the code of its line is missing. */
function PlainResult({ result: { tone, text, detail } }: ResultProps) {
  return (
    <div className={styles.line} data-tone={tone}>
      <span className={styles.text}>{[text, detail].filter(Boolean).join(' · ')}</span>
    </div>
  );
}

const ResultLine = lazyPart(() => import('./result-line.tsx'), 'ResultLine', {
  isPart: true,
  before: PlainResult,
});

/** The free space of a header, where the result of what was just done stands for a moment. */
export function ResultPlace() {
  const result = useResult();
  useEffect(() => prefetchOnceUsed([ResultLine.fetch]), []);
  return (
    // A live region has to be there before its text.
    <div className={styles.place} role="status">
      {result && <ResultLine result={result} />}
    </div>
  );
}
