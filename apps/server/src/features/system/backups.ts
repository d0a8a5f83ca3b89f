import type * as contract from '@linekeeper/contract/system.ts';
import { readBackupState } from '../../domain/backups/scheduled-backup.ts';
import { placeOfCopies, readCopyState } from '../../domain/backups/send-backup.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';

const momentOf = (seconds: number) => (seconds > 0 ? new Date(seconds * 1000).toISOString() : null);

export const getBackups: Action<typeof contract.getBackups> = async ({ db, config }) => {
  const { last_made } = await readBackupState(db);
  const state = await readCopyState(db);
  const copies = config.backups?.copies;
  return {
    made_at: momentOf(last_made),
    place: copies ? placeOfCopies(copies) : null,
    copied_at: momentOf(state.sent_at),
    read_back_at: momentOf(state.read_back_at),
    restored_at: momentOf(state.restored_at),
    missed: copies ? state.missed : 0,
    problem: copies ? state.problem : null,
  };
};
