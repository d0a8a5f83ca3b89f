import { useEffect } from 'react';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { type Result, useResult } from '#platform/state/results.ts';
import { ResultFrame } from './result-frame.tsx';

interface ResultProps {
  result: Result;
}

/** A result in plain words, while the code of its line is missing. */
function PlainResult({ result: { tone, text, detail } }: ResultProps) {
  return (
    <ResultFrame tone={tone}>
      <span className="[display:-webkit-box] flex-1 min-w-0 overflow-hidden type-[600_14px/20px_var(--font)] wrap-anywhere [-webkit-box-orient:vertical] [-webkit-line-clamp:2] above-phone:leading-4.5 small-phone:text-[12px] small-phone:leading-4 small-phone:[-webkit-line-clamp:3]">
        {[text, detail].filter(Boolean).join(' · ')}
      </span>
    </ResultFrame>
  );
}

const ResultLine = lazyPart(() => import('./result-line.tsx'), 'ResultLine', {
  isPart: true,
  before: PlainResult,
});

/** The place in the header where the result of the last action is shown for a moment. */
export function ResultPlace() {
  const result = useResult();
  useEffect(() => prefetchOnceUsed([ResultLine.fetch]), []);
  return (
    // A live region has to be there before its text.
    <div className="flex flex-[1_1_0] min-w-0" role="status">
      {result && <ResultLine result={result} />}
    </div>
  );
}
