import { Printer } from 'lucide-react';
import { useState } from 'react';
import { HeaderButton } from '#kit/ui/buttons/header-button.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';

interface PrintButtonProps {
  label: string;
  /** Fetches what is printed, and prints it. */
  onPrint: () => Promise<void>;
}

/** The button that prints the rows of a list, which are fetched first. */
export function PrintButton({ label, onPrint }: PrintButtonProps) {
  const errorText = useErrorText();
  const [isFetching, setFetching] = useState(false);
  const print = async () => {
    setFetching(true);
    await onPrint().catch((error) => results.error(errorText(error)));
    setFetching(false);
  };
  return (
    <HeaderButton
      label={label}
      icon={Printer}
      iconSize={24}
      pending={isFetching}
      onClick={() => void print()}
    />
  );
}
