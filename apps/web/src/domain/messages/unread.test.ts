import { expect, it } from 'vitest';
import { badgeText } from './unread.ts';

it('says how many are unread up to 99, and 99+ above', { tags: ['spec:2.60', 'spec:9.15'] }, () => {
  expect([1, 99, 100, 1234].map(badgeText)).toEqual(['1', '99', '99+', '99+']);
});
