import { describe, expect, test } from 'vitest';
import { errorStatus, errors, errorText, isErrorCode } from './errors.ts';

describe('the error texts', () => {
  test('fill in what they announce', () => {
    expect(errorText('INSUFFICIENT_CREDITS', { required: 4, available: 0 })).toBe(
      'Insufficient credits. Required: 4, Available: 0',
    );
    expect(errorText('MISSING_REQUIRED_FIELDS', { fields: 'host_ip, port' })).toBe(
      'Missing required fields: host_ip, port',
    );
  });

  test.each([
    [1, '1 row is invalid. Nothing was imported.'],
    [2, '2 rows are invalid. Nothing was imported.'],
  ])('count %i in a sentence', (count, text) => {
    expect(errorText('IMPORT_HAS_INVALID_ROWS', { count })).toBe(text);
  });

  test('stand under a status that clients know', () => {
    const known = new Set([400, 401, 403, 404, 408, 409, 413, 422, 428, 429, 431, 500, 503]);
    for (const code of Object.keys(errors)) {
      if (isErrorCode(code)) expect(known.has(errorStatus(code)), code).toBe(true);
    }
  });

  test('a name that every object has is no error code', () => {
    expect(isErrorCode('toString')).toBe(false);
    expect(isErrorCode('__proto__')).toBe(false);
  });
});
