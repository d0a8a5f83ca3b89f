/** A value on the horizontal axis, in order. */
export interface ChartPoint {
  /** Below the axis, where there is room for it. */
  label: string;
  /** Null where it is not known, or has not come. */
  value: number | null;
  /** What it was earlier, drawn behind it in dashes. */
  before?: number | null;
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
  /** Points from which on something is to be kept in mind, in few words. */
  marks?: readonly { at: number; text: string }[];
}
