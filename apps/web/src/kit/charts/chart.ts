/** A value on the horizontal axis, in order. */
export interface ChartPoint {
  /** The text below the axis, if there is room for it. */
  label: string;
  /** The value; null if it is unknown, or in the future. */
  value: number | null;
  /** An earlier value to compare with, drawn behind this one as a dashed line. */
  before?: number | null;
  /** Returns the value in words, to be shown and read aloud; called only for the point under the pointer. */
  text(): string;
  tone?: 'warning';
}

export interface ChartProps {
  /** The subject of the chart, for screen readers. */
  label: string;
  points: readonly ChartPoint[];
  /** Bars from zero, or a line that stays at each value until the next. */
  shape: 'bars' | 'steps';
  /** The point that always has a label, and with which the keyboard starts. */
  begins: 'first' | 'last';
  /** The values above which the reader should take care, each with a few words. */
  marks?: readonly { at: number; text: string }[];
}
