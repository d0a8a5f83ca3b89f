import { newIdempotencyKey } from '../../../shared/api/client.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useOrderJob } from '../../../shared/jobs/queries.ts';
import { toast } from '../../../shared/ui/toast.ts';
import type { BulkLines } from './use-bulk-selection.ts';

/** Orders the lines as CSV; the file comes by itself when it is ready. */
export function useExport(): (lines: BulkLines) => void {
  const errorText = useErrorText();
  const order = useOrderJob();
  return (lines) =>
    order.mutate(
      {
        body: { action: 'export', ...lines },
        idempotencyKey: newIdempotencyKey(),
        downloads: true,
      },
      { onError: (error) => toast.error(errorText(error)) },
    );
}
