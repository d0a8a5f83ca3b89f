import type { ChangedLine, newLine } from '@linekeeper/contract/lines.ts';
import type { UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';

export type NewLineForm = UseFormReturn<z.input<typeof newLine>, unknown, z.output<typeof newLine>>;

/** The panel never sends a password back: the one just typed is shown once. */
export interface CreatedLine extends ChangedLine {
  password: string;
}
