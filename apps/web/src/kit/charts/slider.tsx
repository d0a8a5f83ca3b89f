import { type PointerEvent, useState } from 'react';

/** The column of a chart under the pointer or the keyboard; null without one. */
export function usePointed(columns: number, begins: 'first' | 'last') {
  const [pointed, setPointed] = useState<number | null>(null);
  const last = columns - 1;
  const at = Math.min(pointed ?? (begins === 'first' ? 0 : last), last);
  return { columns, pointed, at, setPointed };
}

interface SliderProps {
  label: string;
  /** The text for the column at which the slider is. */
  text: string | undefined;
  on: ReturnType<typeof usePointed>;
}

/** An invisible slider over a chart, by which keyboard, screen readers and fingers move from column to column. */
export function Slider({ label, text, on: { columns, at, setPointed } }: SliderProps) {
  const last = columns - 1;
  const point = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * columns);
    setPointed(Math.min(last, Math.max(0, index)));
  };
  return (
    <input
      type="range"
      className="absolute inset-0 w-full h-full opacity-0 cursor-default touch-pan-y"
      aria-label={label}
      aria-valuetext={text}
      min={0}
      max={last}
      value={at}
      onChange={({ target }) => setPointed(target.valueAsNumber)}
      onFocus={() => setPointed(at)}
      onBlur={() => setPointed(null)}
      onPointerMove={point}
      onPointerLeave={({ currentTarget }) => {
        if (document.activeElement !== currentTarget) setPointed(null);
      }}
    />
  );
}
