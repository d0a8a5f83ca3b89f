import { useTranslation } from 'react-i18next';
import { Card } from '#kit/ui/card.tsx';
import { useDelayed } from '#platform/browser/use-delayed.ts';

const GREY = 'bg-[#e9edf1]';
const CARDS = ['a', 'b', 'c'];
const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export function ServerSkeletons({ isVisible }: { isVisible: boolean }) {
  if (!isVisible) return null;
  return (
    <div
      className="grid grid-cols-[repeat(auto-fill,minmax(min(300px,100%),1fr))] gap-(--card-pad)"
      aria-hidden="true"
    >
      {CARDS.map((card) => (
        <Card as="div" key={card} className="grid gap-2 h-85 phone:h-82">
          <span className={`w-[60%] h-10 mb-24 rounded-[6px] ${GREY}`} />
          <span className={`h-5.5 rounded-[6px] ${GREY}`} />
          <span className={`h-5.5 rounded-[6px] ${GREY}`} />
          <span className={`h-5.5 rounded-[6px] ${GREY}`} />
          <span className={`h-10 mt-2 rounded-control ${GREY}`} />
        </Card>
      ))}
    </div>
  );
}

export function ServerFormSkeleton() {
  const { t } = useTranslation('servers');
  const isSlow = useDelayed(true);
  if (!isSlow) return null;
  return (
    <Card
      as="div"
      className="grid [&>span]:bg-[#e9edf1] gap-13.5 max-w-(--form-max) pt-13.5 [&>span]:h-11 [&>span]:rounded-control"
      role="status"
      aria-label={t('loading')}
    >
      {FIELDS.map((field) => (
        <span key={field} />
      ))}
    </Card>
  );
}
