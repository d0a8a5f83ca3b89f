import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { EditLineForm } from './edit-line-form.tsx';

const NameProblemBanner = lazyPart(() => import('./name-problem-banner.tsx'), 'NameProblemBanner', {
  isPart: true,
});

/** The tab with the form that changes a line. */
export function EditLine({ line, onLeave }: { line: Line; onLeave: () => void }) {
  return (
    <div className="grid grid-cols-1 gap-6 phone:gap-4">
      {line.name_problem && <NameProblemBanner line={line} problem={line.name_problem} />}
      <EditLineForm line={line} onLeave={onLeave} />
    </div>
  );
}
