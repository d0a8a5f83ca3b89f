export const pushOperations = ['add', 'edit', 'renew', 'delete'] as const;
export type PushOperation = (typeof pushOperations)[number];
