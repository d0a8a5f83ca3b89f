const saved = {
  add: 'User was added to database but could not be added to CCcam server: ',
  edit: 'User was updated in database but could not be updated in CCcam server: ',
  renew: 'User was renewed in database but could not be renewed in CCcam server: ',
  delete: 'User was deleted from database but could not be deleted from CCcam server: ',
} as const;

const refused = {
  add: 'Failed to add user to CCcam server',
  edit: 'Failed to update user in CCcam server',
  renew: 'Failed to renew user in CCcam server',
  delete: 'Failed to delete user from CCcam server',
} as const;

type Operation = keyof typeof saved;
const operations = Object.keys(saved) as Operation[];

export type PushMessage =
  | { kind: 'saved'; operation: Operation; reason: string }
  | { kind: 'refused'; operation: Operation };

/**
 * A push that failed is told as an English sentence. This takes it apart, so that it can be said in
 * the reader's language; null for the card server's own words.
 */
export function readPushMessage(message: string): PushMessage | null {
  for (const operation of operations) {
    const start = saved[operation];
    if (message.startsWith(start)) {
      return { kind: 'saved', operation, reason: message.slice(start.length) };
    }
    if (message === refused[operation]) return { kind: 'refused', operation };
  }
  return null;
}
