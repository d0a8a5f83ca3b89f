import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { createLine, newLine } from '@linekeeper/contract/lines/lines.ts';
import type { UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';

export type NewLineForm = UseFormReturn<z.input<typeof newLine>, unknown, z.output<typeof newLine>>;

/** Keeps the typed password to show it once, because the panel's reply does not contain it. */
export type CreatedLine = Reply<typeof createLine> & { password: string };
