import { type ReactNode, useId } from 'react';
import { type Kind, numbersFrom } from './generate-samples.ts';

const tones = ['1', '2', '3', '4'] as const;

const shapes: Record<Kind, ReactNode> = {
  lamp: (
    <>
      <path d="M62 42h36l14 38H48z" />
      <path d="M78 80h4v34h-4zM62 114h36v6H62z" />
    </>
  ),
  chair: <path d="M54 34h10v44h42V60h10v60h-8V92H64v28H54z" />,
  cup: (
    <>
      <path d="M50 56h50v34a20 20 0 0 1-20 20H70a20 20 0 0 1-20-20z" />
      <path d="M100 62h6a14 14 0 0 1 0 28h-6v-8h6a6 6 0 0 0 0-12h-6z" />
    </>
  ),
  plant: (
    <>
      <path d="M60 90h40l-6 30H66z" />
      <path d="M78 90C60 84 50 66 54 46c16 4 26 20 26 36 2-20 12-38 30-42 0 24-10 44-28 50z" />
    </>
  ),
  clock: (
    <path d="M80 36a42 42 0 1 0 0 84 42 42 0 0 0 0-84zm0 8a34 34 0 1 1 0 68 34 34 0 0 1 0-68zm-4 12h8v21l14 9-4 7-18-12z" />
  ),
};

/** A product, drawn in one colour. */
export function ProductPicture({ kind, seed }: { kind: Kind; seed: number }) {
  return (
    <svg
      className="block w-full"
      color={`var(--color-chart-${tones[seed % tones.length]})`}
      viewBox="0 0 160 150"
      aria-hidden="true"
    >
      <rect className="fill-current opacity-12" width="160" height="150" />
      <g className="fill-current">{shapes[kind]}</g>
    </svg>
  );
}

/** A drawing of hills below a sun, which a number makes different for each post. */
export function PostPicture({ seed }: { seed: number }) {
  const id = useId();
  const next = numbersFrom(seed * 7919 + 1);
  const sun = { x: 40 + next() * 240, y: 30 + next() * 40, r: 14 + next() * 16 };
  const hills = [0, 1, 2].map((row) => {
    const base = 90 + row * 26;
    const [a = 0, b = 0] = [next() * 50, next() * 50];
    return `M0 ${base}C80 ${base - a} 120 ${base + 20} 180 ${base - b}S280 ${base - 10} 320 ${base - 10}V180H0z`;
  });
  return (
    <svg
      className="block w-full"
      color={`var(--color-chart-${tones[seed % tones.length]})`}
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <rect className="fill-current opacity-12" width="320" height="180" />
      <circle className="fill-current" cx={sun.x} cy={sun.y} r={sun.r} opacity={0.4} />
      {hills.map((path, row) => (
        <path key={`${id}-${path}`} className="fill-current" d={path} opacity={0.25 + row * 0.25} />
      ))}
    </svg>
  );
}
