import { Check, Clock } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Card } from './card.tsx';
import { IconTile } from './icon-tile.tsx';

interface DoneCardProps {
  titleId: string;
  title: string;
  /** True until the result is in effect; the card is amber then. */
  isWaiting?: boolean;
  summary: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * The card that replaces a form after it was sent, with the result. Its title takes the focus, so that screen readers
 * start there.
 */
export function DoneCard(props: DoneCardProps) {
  const { titleId, title, isWaiting, summary, actions, children } = props;
  const Icon = isWaiting ? Clock : Check;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The page is scrolled to its top, because the focus alone would leave the page's header below the sticky one.
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  return (
    <Card className="form-width" aria-labelledby={titleId}>
      <div className="flex items-start gap-4 mb-6">
        <IconTile tone={isWaiting ? 'warning' : 'success'} isRound>
          <Icon size={20} />
        </IconTile>
        <div className="flex-1 min-w-0">
          <h2 className="[outline:0] tracking-[-0.005em]" id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <p className="text-text-2">{summary}</p>
        </div>
      </div>
      {children}
      {actions && (
        <div className="flex flex-wrap items-stretch gap-2 mt-6 [&>a]:ms-auto phone:flex-col phone:[&>a]:m-0">
          {actions}
        </div>
      )}
    </Card>
  );
}
