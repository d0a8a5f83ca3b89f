import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { PencilLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { OpenButton } from '#domain/lines/actions.tsx';
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
  return (
    <Banner
      tone="warning"
      title={t('line.name.long')}
      action={
        <OpenButton
          line={line}
          action="rename"
          size="small"
          icon={<PencilLine />}
          aria-label={t('line.name.renameOf', { username: line.username })}
        >
          {t('action.rename')}
        </OpenButton>
      }
    >
      <p>{t(`line.name.${problem}`)}</p>
    </Banner>
  );
}
