/** What opens for one line of the list. */
export type LineAction = 'menu' | 'renew' | 'credentials' | 'move' | 'delete';
