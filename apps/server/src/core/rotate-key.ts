import type { Connection } from '../db/connect.ts';
import { refuseOtherPrograms } from '../db/other-programs.ts';
import { transact } from '../db/transaction.ts';
import { audit } from './audit.ts';
import { checkSecretKey } from './key-check.ts';
import { allSealedValues } from './sealed-values.ts';
import { createSecrets } from './secrets.ts';

export interface Rotated {
  name: string;
  count: number;
}

/**
 * Seals everything with `nextKey` instead of `presentKey`, all or nothing, and proves it before the
 * commit. Everybody's session ends: its cookie was signed with the present key.
 */
export async function rotateKey(
  { db, kind }: Connection,
  presentKey: string,
  nextKey: string,
): Promise<Rotated[]> {
  const [present, next] = [createSecrets(presentKey), createSecrets(nextKey)];
  return transact(db, async (tx) => {
    await refuseOtherPrograms(tx, kind);
    await checkSecretKey(tx, present);
    const rotated: Rotated[] = [];
    for (const values of allSealedValues) {
      const count = await values.reseal(tx, present, next);
      const verified = await values.verify(tx, present, next);
      if (verified !== count) throw new Error(`Not all ${values.name} were sealed anew`);
      rotated.push({ name: values.name, count });
    }
    await tx.deleteFrom('auth_sessions').execute();
    await audit(tx, {
      actor_id: null,
      action: 'panel.key_rotated',
      subject_type: 'panel',
      subject_id: 'database',
    });
    return rotated;
  });
}
