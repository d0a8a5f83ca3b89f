import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { Stack } from '#kit/ui/vocabulary.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { EditLineForm } from './edit-line-form.tsx';

const NameProblemBanner = lazyPart(() => import('./name-problem-banner.tsx'), 'NameProblemBanner', {
  isPart: true,
});

/** The tab in which a line is changed. */
export function EditLine({ line, onLeave }: { line: Line; onLeave: () => void }) {
  return (
    <Stack gap={24} phoneGap={16}>
      {line.name_problem && <NameProblemBanner line={line} problem={line.name_problem} />}
      <EditLineForm line={line} onLeave={onLeave} />
    </Stack>
  );
}
