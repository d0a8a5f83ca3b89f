import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { decrypt } from './push-service.ts';

// RFC 8291, section 5.
const base64 = (text: string) => Buffer.from(text, 'base64url');

test('a browser decrypts the example of the standard', () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(base64('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'));
  const auth = base64('BTBZMqHH6r4Tts7J_aSIgg');
  const body = base64(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  expect(decrypt({ pair, auth }, body)).toBe('When I grow up, I want to be a watermelon');
});
