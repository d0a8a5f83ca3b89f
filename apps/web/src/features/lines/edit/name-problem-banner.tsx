import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { PencilLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useRename } from '#domain/lines/name-problem.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';

interface NameProblemBannerProps {
  line: Line;
  problem: NonNullable<Line['name_problem']>;
}

/**
 * The banner above the form of a line whose username is not sent as a whole by CCcam clients, with a button to rename
 * it.
 */
export function NameProblemBanner({ line, problem }: NameProblemBannerProps) {
  const { t } = useTranslation();
  const { label, ...rename } = useRename(line);
  return (
    <Banner
      tone="warning"
      title={t('line.name.long')}
      action={
        <Button {...rename} size="small" icon={<PencilLine />} aria-label={label}>
          {t('action.rename')}
        </Button>
      }
    >
      <p>{t(`line.name.${problem}`)}</p>
    </Banner>
  );
}
