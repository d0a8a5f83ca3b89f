import { useEffect } from 'react';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { type Result, useResult } from '#platform/state/results.ts';
import { RESULT_TEXT, ResultFrame } from './result-frame.tsx';

interface ResultProps {
  result: Result;
}

/** A result in plain words, while the code of its line is missing. */
function PlainResult({ result: { tone, text, detail } }: ResultProps) {
  return (
    <ResultFrame tone={tone}>
      <span className={RESULT_TEXT}>{[text, detail].filter(Boolean).join(' · ')}</span>
    </ResultFrame>
  );
}

const ResultLine = lazyPart(() => import('./result-line.tsx'), 'ResultLine', {
  isPart: true,
  before: PlainResult,
});

/**
 * The place in the header where the result of the last action is shown for a moment. It is a row, because floating
 * messages covered up to half of a phone's screen.
 */
export function ResultPlace() {
  const result = useResult();
  useEffect(() => prefetchOnceUsed([ResultLine.fetch]), []);
  return (
    // A live region must exist before its text, or it is not announced.
    <div className="flex flex-[1_1_0] min-w-0" role="status">
      {result && <ResultLine result={result} />}
    </div>
  );
}
