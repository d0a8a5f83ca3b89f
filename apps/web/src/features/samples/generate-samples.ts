/** The seed of the samples, which are the same for every reader and day, so that screenshots stay the same. */
const SEED = 20_240;

/** Numbers from 0 to below 1 that look random (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function chooserOf(next: () => number) {
  return <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(next() * items.length)] ?? items[0];
}

const firstNames = ['Ada', 'Bo', 'Cleo', 'Dario', 'Elin', 'Finn', 'Greta', 'Hugo', 'Ines'] as const;
const lastNames = ['Ahlers', 'Brandt', 'Costa', 'Duda', 'Ellis', 'Ferro', 'Grab', 'Hale'] as const;
const companies = [
  'Nimbus & Sons',
  'Paper Boat',
  'Quiet Harbour',
  'Sundial',
  'Tin Whistle',
] as const;
export const kinds = ['lamp', 'chair', 'cup', 'plant', 'clock'] as const;
export type Kind = (typeof kinds)[number];
const roles = ['designer', 'engineer', 'manager', 'support'] as const;
const statuses = ['active', 'active', 'active', 'pending', 'rejected'] as const;

export interface SampleUser {
  id: string;
  name: string;
  company: string;
  role: (typeof roles)[number];
  is_verified: boolean;
  status: (typeof statuses)[number];
}

export function makeUsers(count: number): SampleUser[] {
  const next = numbersFrom(SEED);
  const choose = chooserOf(next);
  return Array.from({ length: count }, (_, index) => ({
    id: `sample-${index}`,
    name: `${choose(firstNames)} ${choose(lastNames)}`,
    company: choose(companies),
    role: choose(roles),
    is_verified: next() < 0.7,
    status: choose(statuses),
  }));
}

export interface SampleProduct {
  id: string;
  kind: Kind;
  number: number;
  price: number;
  /** The price before its reduction; null if it was not reduced. */
  price_before: number | null;
  is_new: boolean;
  /** A number that is higher for newer products. */
  age: number;
}

export function makeProducts(count: number): SampleProduct[] {
  const next = numbersFrom(SEED + 1);
  const choose = chooserOf(next);
  return Array.from({ length: count }, (_, index) => {
    const price = 8 + Math.floor(next() * 240);
    return {
      id: `sample-${index}`,
      kind: choose(kinds),
      number: 100 + Math.floor(next() * 900),
      price,
      price_before: next() < 0.25 ? Math.round(price * 1.4) : null,
      is_new: index < count / 6,
      age: index,
    };
  });
}

export interface SamplePost {
  id: string;
  author: string;
  /** The day of the sample, as YYYY-MM-DD. */
  day: string;
  views: number;
}

export function makePosts(count: number): SamplePost[] {
  const next = numbersFrom(SEED + 2);
  const choose = chooserOf(next);
  return Array.from({ length: count }, (_, index) => ({
    id: `sample-${index}`,
    author: `${choose(firstNames)} ${choose(lastNames)}`,
    day: new Date(Date.UTC(2024, 11 - index, 1 + Math.floor(next() * 28)))
      .toISOString()
      .slice(0, 10),
    views: Math.floor(next() * 9000) + 40,
  }));
}
