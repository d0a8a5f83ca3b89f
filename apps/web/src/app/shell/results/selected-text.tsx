/** A text that is selected as soon as it is there, for the browser's own way to copy. */
export function SelectedText({ label, children }: { label: string; children: string }) {
  return (
    <textarea
      readOnly
      className="flex-1 min-w-0 h-8 py-1 px-2 border border-divider rounded-control bg-paper text-text type-body resize-none"
      aria-label={label}
      title={label}
      rows={1}
      value={children}
      ref={(area) => area?.select()}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  );
}
