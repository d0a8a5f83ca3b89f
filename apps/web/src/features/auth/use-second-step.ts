import type { Me } from '@linekeeper/contract/auth/auth.ts';
import { twoFactorSignIn } from '@linekeeper/contract/auth/two-factor.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { ApiError } from '#platform/api/client.ts';

export interface SecondStepProps {
  challenge: string;
  onSignedIn: (user: Me) => void;
  /** Called when the sign-in must begin again, because it took too long or too many codes were wrong. */
  onEnded: (error: ApiError) => void;
}

/** The form that completes a sign-in with a code. */
export function useSecondStep({ challenge, onSignedIn, onEnded }: SecondStepProps) {
  const form = useContractForm({
    schema: twoFactorSignIn.body,
    defaultValues: { challenge, code: '' },
  });
  const isRecovery = form.watch('recovery_code') !== undefined;
  const submission = useSubmit({
    form,
    command: useCommand(twoFactorSignIn),
    refused: (error) => {
      if (error instanceof ApiError && error.code === 'CHALLENGE_ENDED') onEnded(error);
    },
    done: ({ user }) => onSignedIn(user),
    fieldOfCode: { TWO_FACTOR_REFUSED: isRecovery ? 'recovery_code' : 'code' },
    isGuarded: false,
  });
  return { form, submission };
}
