import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';

interface MadeSecretProps {
  text: string;
  secret: string;
  copyLabel: string;
}

/** A secret that was just made, and is shown this once. */
export function MadeSecret({ text, secret, copyLabel }: MadeSecretProps) {
  return (
    <div className="my-2 mx-(--card-pad) p-4 rounded-[12px] bg-success-bg text-success-fg [&>div]:min-h-11 [&>div]:pt-1 [&>div]:pr-2 [&>div]:pb-1 [&>div]:pl-3 [&>div]:border [&>div]:border-success-fg [&>div]:rounded-control [&>div]:bg-paper [&_code]:type-[inherit]">
      <p className="type-strong min-w-0 wrap-anywhere">{text}</p>
      <div className="flex items-center gap-2 mt-2 text-text">
        <code className="flex-1 min-w-0 wrap-anywhere">{secret}</code>
        <CopyButton value={secret} label={copyLabel} size="small" />
      </div>
    </div>
  );
}
