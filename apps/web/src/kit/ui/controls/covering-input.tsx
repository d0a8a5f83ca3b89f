import type { ComponentProps } from 'react';

/** An invisible radio button or checkbox over all of its label, which is positioned and shows the state. */
export function CoveringInput(props: ComponentProps<'input'>) {
  return <input {...props} className="absolute inset-0 w-full h-full opacity-0 cursor-pointer" />;
}
