/** A value on the horizontal axis, in order. */
export interface ChartPoint {
  /** Below the axis, where there is room for it. */
  label: string;
  value: number;
  /** The whole value in words, as it is read out and shown; made for the one that is pointed at alone. */
  text(): string;
  tone?: 'warning';
}

export interface ChartProps {
  /** What the chart shows, for screen readers. */
  label: string;
  points: readonly ChartPoint[];
  /** Bars from zero, or a line that stays at each value until the next. */
  shape: 'bars' | 'steps';
  /** The point that always has a label, and that the keyboard begins with. */
  begins: 'first' | 'last';
}
