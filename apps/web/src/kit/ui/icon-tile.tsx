import type { ReactNode } from 'react';

interface IconTileProps {
  tone?: 'primary' | 'success' | 'warning' | 'error' | 'info' | 'neutral';
  isRound?: boolean;
  className?: string | undefined;
  /** An icon of 20 pixels. */
  children: ReactNode;
}

/** An icon on a coloured square, as decoration of the text beside it. */
export function IconTile({ tone = 'primary', isRound, className = '', children }: IconTileProps) {
  return (
    <span
      className={`grid flex-none place-items-center w-10 h-10 ${isRound ? 'rounded-[50%]' : 'rounded-[12px]'} bg-tone-bg text-tone-fg ${className}`}
      data-tone={tone}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
