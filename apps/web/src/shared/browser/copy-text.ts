/**
 * Copies to the clipboard, also without HTTPS or clipboard permission. What has to be fetched is handed over
 * as a promise: WebKit takes a text only in the very moment of a click. False where the browser refuses
 * every way; throws where the text cannot be had.
 */
export async function copyText(getText: () => string | Promise<string>): Promise<boolean> {
  const got = getText();
  if (typeof got !== 'string' && (await writePromise(got))) return true;
  const text = await got;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

/** False where the browser does not take promises, or the text could not be had. */
async function writePromise(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }));
    // The browser may give up before it is there.
    blob.catch(() => {});
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    return false;
  }
}

function copyThroughSelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside the open dialog, because a focus trap takes back the focus from elements outside.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
