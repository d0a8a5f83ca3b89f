import { useRef } from 'react';
import { newIdempotencyKey } from './client.ts';

/**
 * One key for each content of a form: sending the same again is recognised as the same wish, and
 * what was changed in between is a new one.
 */
export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    const text = JSON.stringify(content);
    if (text !== last.current.content) {
      last.current = { content: text, key: newIdempotencyKey() };
    }
    return last.current.key;
  };
}
