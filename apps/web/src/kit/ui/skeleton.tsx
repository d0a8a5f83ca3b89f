import type { ReactNode } from 'react';

interface SkeletonProps {
  width?: number;
  height?: number;
  radius?: number;
  /** Text for screen readers while the placeholder is shown. */
  children?: ReactNode;
}

/** A grey shape instead of content that is being loaded. */
export function Skeleton({ width, height = 12, radius = 6, children }: SkeletonProps) {
  return (
    <span className="skeleton" style={{ width, height, borderRadius: radius }}>
      {children}
    </span>
  );
}
