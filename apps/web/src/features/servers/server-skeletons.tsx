import { useTranslation } from 'react-i18next';
import { Card } from '#kit/ui/card.tsx';
import { useDelayed } from '#platform/browser/use-delayed.ts';

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
        <Card
          as="div"
          key={card}
          className="grid gap-2 [&>span]:h-5.5 [&>span]:rounded-[6px] [&>span]:bg-[#e9edf1] h-85 phone:h-82 [&>[data-part=name]]:w-[60%] [&>[data-part=name]]:h-10 [&>[data-part=name]]:mb-24 [&>[data-part=button]]:h-10 [&>[data-part=button]]:mt-2 [&>[data-part=button]]:rounded-control"
        >
          <span data-part="name" />
          <span />
          <span />
          <span />
          <span data-part="button" />
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
