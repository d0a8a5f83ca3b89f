import { useTranslation } from 'react-i18next';
import { showMoment, showMomentInUtc } from '../show-moment.ts';

/** A moment in the reader's time zone; the tooltip has it in UTC. */
export function Timestamp({ value }: { value: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={value} title={showMomentInUtc(value, i18n.language)}>
      {showMoment(value, i18n.language)}
    </time>
  );
}
