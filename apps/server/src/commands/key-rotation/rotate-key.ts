import type { Connection } from '../../db/connect.ts';
import { refuseOtherPrograms } from '../../db/postgres/other-programs.ts';
import { transact } from '../../db/transaction.ts';
import { panelOrigin, writeAudit } from '../../domain/audit/audit.ts';
import { checkSecretKey } from '../../platform/keys/key-check.ts';
import { createSecrets } from '../../platform/keys/secrets.ts';
import { allSealedValues } from './sealed-values.ts';

export interface Rotated {
  name: string;
  count: number;
}

/**
 * Encrypts everything with `nextKey` instead of `presentKey` in one transaction and verifies the
 * result before the commit. All sessions end, because their cookies are signed with the old key.
 * `keepKey` stores the new key on disk after all checks and before the first row is encrypted with
 * it.
 */
export async function rotateKey(
  { db, kind }: Connection,
  presentKey: string,
  nextKey: string,
  keepKey: () => void,
): Promise<Rotated[]> {
  const [present, next] = [createSecrets(presentKey), createSecrets(nextKey)];
  return transact(db, async (tx) => {
    await refuseOtherPrograms(tx, kind);
    await checkSecretKey(tx, present);
    keepKey();
    const rotated: Rotated[] = [];
    for (const values of allSealedValues) {
      const count = await values.reseal(tx, present, next);
      const verified = await values.verify(tx, present, next);
      if (verified !== count) throw new Error(`Not all ${values.name} were sealed anew`);
      rotated.push({ name: values.name, count });
    }
    await tx.deleteFrom('auth_sessions').execute();
    await writeAudit(tx, panelOrigin, [
      { action: 'panel.key_rotated', subject_type: 'panel', subject_id: 'database' },
    ]);
    return rotated;
  });
}
