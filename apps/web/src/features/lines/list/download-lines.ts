import { linesCsv } from '@linekeeper/contract/lines/lines.ts';
import { linesList } from '@linekeeper/contract/lists/lists.ts';
import { type ListSearch, unpagedQuery } from '../../../screens/address.ts';
import { addressOfCall } from '../../../shared/api/client.ts';
import { downloadFile } from '../../../shared/browser/download-file.ts';

export function downloadLines(search: ListSearch): void {
  downloadFile(addressOfCall(linesCsv, { query: unpagedQuery(linesList, search) }));
}
