/** Milliseconds for which a text stays available for its download, which the browser may begin after a moment. */
const KEPT_MS = 60_000;

/**
 * Downloads an address as if its link had been clicked. Without a name, the panel's reply names the
 * file.
 */
export function downloadFile(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Downloads a text that was made in the browser. */
export function downloadText(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  downloadFile(address, name);
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

export function downloadCsv(text: string, name: string): void {
  downloadText(text, name, 'text/csv');
}
