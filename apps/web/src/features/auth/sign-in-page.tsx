import { type Me, signIn } from '@linekeeper/contract/auth/auth.ts';
import { fieldProblems, type Issue } from '@linekeeper/contract/problems.ts';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import {
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { PasswordBox } from '#kit/forms/fields/password-box.tsx';
import { TextBox } from '#kit/forms/fields/text-box.tsx';
import { RefusalPlace } from '#kit/forms/refusal-place.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { SummaryLink } from '#kit/forms/summary-link.tsx';
import { VisitorFrame } from '#kit/page/visitor/visitor-frame.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { RequestDetails } from '#kit/ui/states/request-details.tsx';
import { ApiError } from '#platform/api/client.ts';
import { reachPanel } from '#platform/api/reach-panel.ts';
import { safeReturnPath } from '#platform/browser/return-path.ts';
import { useCacheAccount } from '#platform/data/session.ts';
import { useCodeText, useErrorText, useFetchFailedText } from '#platform/i18n/use-error-text.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { forgetPendingSignIn, hasPendingSignIn } from './pending-sign-in-note.ts';
import { rememberedEmail } from './remembered-email.ts';

/** Opens the page that was requested before the sign-in. */
function useEnter() {
  const router = useRouter();
  const { to } = useSearch({ from: '/sign-in' });
  const cacheAccount = useCacheAccount();
  return (user: Me) => {
    cacheAccount(user);
    router.history.push(safeReturnPath(to));
  };
}

interface Resumed {
  onWaiting: (waiting: PendingSignIn) => void;
  onEnded: (error: unknown) => void;
}

/** Returns to the second step after the page was reloaded; true while it is unknown whether there is one. */
function useResumed({ onWaiting, onEnded }: Resumed): boolean {
  const [isResuming, setResuming] = useState(hasPendingSignIn);
  const resume = useEffectEvent(async () => {
    try {
      await reachPanel();
      const { resumePendingSignIn } = await import('./pending-sign-in.ts');
      onWaiting(await resumePendingSignIn());
    } catch (error) {
      onEnded(error);
    }
    setResuming(false);
  });
  useEffect(() => {
    if (isResuming) void resume();
  }, [isResuming]);
  return isResuming;
}

/** Ends the second step with a message as soon as its time is over, instead of at the next code. */
function useEndInTime(waiting: PendingSignIn | undefined, onEnded: (error: unknown) => void): void {
  const end = useEffectEvent(async () => {
    const { challengeEnded } = await import('./pending-sign-in.ts');
    onEnded(challengeEnded());
  });
  useEffect(() => {
    if (waiting?.seconds_left == null) return;
    const timer = setTimeout(() => void end(), waiting.seconds_left * 1000);
    return () => clearTimeout(timer);
  }, [waiting]);
}

export function SignInPage() {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const { notice } = useSearch({ from: '/sign-in' });
  const enter = useEnter();
  const [waiting, setWaiting] = useState<PendingSignIn>();
  const [ended, setEnded] = useState<unknown>();
  const leave = (error?: unknown) => {
    forgetPendingSignIn();
    setEnded(error);
    setWaiting(undefined);
  };
  const isResuming = useResumed({ onWaiting: setWaiting, onEnded: leave });
  useEndInTime(waiting, leave);
  if (waiting) {
    const { SecondStep, email, challenge } = waiting;
    return (
      <SecondStep
        email={email}
        challenge={challenge}
        onSignedIn={(user) => {
          forgetPendingSignIn();
          enter(user);
        }}
        onBack={() => leave()}
        onEnded={leave}
      />
    );
  }
  if (isResuming) return null;
  const created = notice && <Banner tone="success" title={t('signIn.accountCreated')} />;
  return (
    <VisitorFrame
      title={t('signIn.title')}
      intro={
        <>
          {t('signIn.noAccount')}{' '}
          <Link to="/sign-up" className="link">
            {t('signUp.title')}
          </Link>
        </>
      }
    >
      <SignInForm
        notice={ended ? <Banner tone="error" title={errorText(ended)} isAlert /> : created}
        onSignedIn={enter}
        onWaiting={setWaiting}
      />
    </VisitorFrame>
  );
}

const names = ['email', 'password'] as const;
type Name = (typeof names)[number];
type Values = Record<Name, string>;

/** A field with an invalid value. */
interface WrongField {
  name: Name;
  text: string;
}

function useWrongFields(values: Values): WrongField[] {
  const codeText = useCodeText();
  const { error } = signIn.body.safeParse(values);
  const problems = fieldProblems((error?.issues ?? []) as readonly Issue[]);
  return names.flatMap((name) => {
    const problem = problems.get(name);
    return problem ? [{ name, text: codeText(problem.code, problem.data) }] : [];
  });
}

interface SignInFormProps {
  notice: ReactNode;
  onSignedIn: (user: Me) => void;
  onWaiting: (waiting: PendingSignIn) => void;
}

/**
 * The form of the sign-in page. It does not use the form library, which is a tenth of all code that
 * signing in would load. A field is checked once it was left or the form was sent.
 */
function SignInForm({ notice, onSignedIn, onWaiting }: SignInFormProps) {
  const { t } = useTranslation('auth');
  const id = useId();
  const [values, setValues] = useState<Values>({ email: rememberedEmail(), password: '' });
  const [checked, setChecked] = useState<readonly Name[]>([]);
  const [hasSent, setSent] = useState(false);
  /** The reason why the second step could not be shown, after the password was right. */
  const [lost, setLost] = useState<unknown>();
  const failedText = useFetchFailedText();
  const wrong = useWrongFields(values);
  const { send, isPending, isDone, error, forgetError } = useCommand(signIn, {
    isSilent: true,
    done: async (reply, { email }) => {
      if ('user' in reply) return onSignedIn(reply.user);
      setLost(undefined);
      try {
        // The code of the second step is loaded only when it is needed.
        await reachPanel();
        const { beginPendingSignIn } = await import('./pending-sign-in.ts');
        onWaiting(await beginPendingSignIn(email, reply.challenge));
      } catch (problem) {
        setLost(problem);
      }
    },
  });
  const boxes = useRef<Partial<Record<Name, HTMLInputElement | null>>>({});
  const focus = (name: Name) => boxes.current[name]?.focus();
  useEffect(() => boxes.current[rememberedEmail() ? 'password' : 'email']?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    setChecked(names);
    const [first] = wrong;
    if (!first) return void send(values);
    forgetError();
    focus(first.name);
  };
  const fieldOf = (name: Name) => {
    const text = checked.includes(name)
      ? wrong.find((field) => field.name === name)?.text
      : undefined;
    const own = `${id}-${name}`;
    const helpId = text ? `${own}-help` : undefined;
    return {
      frame: { id: own, helpId, label: t(`field.${name}`), required: true, errorText: text },
      input: {
        id: own,
        name,
        ref: (box: HTMLInputElement | null) => {
          boxes.current[name] = box;
        },
        value: values[name],
        // An empty field is not an error when it is left, because the reader may be about to sign up.
        onBlur: () => values[name] !== '' && setChecked([...checked, name]),
        onChange: ({ target }: { target: { value: string } }) =>
          setValues({ ...values, [name]: target.value }),
        'aria-invalid': text ? true : undefined,
        'aria-required': true as const,
        'aria-describedby': helpId,
      },
    };
  };
  return (
    <form noValidate onSubmit={submit}>
      {notice}
      {lost !== undefined && <Banner tone="warning" title={failedText(lost)} isAlert />}
      <RefusalPlace refusal={error}>
        {error ? <Refusal error={error} /> : hasSent && <Summary wrong={wrong} focus={focus} />}
      </RefusalPlace>
      <TextBox {...fieldOf('email')} type="email" autoComplete="username" spellCheck={false} />
      <div className="relative [&>a]:absolute [&>a]:[inset-block-start:0] [&>a]:end-0">
        <PasswordBox {...fieldOf('password')} autoComplete="current-password" />
        <Link to="/forgot-password" className="link">
          {t('forgot.link')}
        </Link>
      </div>
      <SubmitButton pending={isPending || (isDone && lost === undefined)} size="large" fullWidth>
        {t('signIn.submit')}
      </SubmitButton>
    </form>
  );
}

function Refusal({ error }: { error: unknown }) {
  const errorText = useErrorText();
  return (
    <Banner tone="error" title={errorText(error)} isAlert>
      {error instanceof ApiError && error.status >= 500 && <RequestDetails error={error} />}
    </Banner>
  );
}

/** Links to the fields where several are wrong. */
function Summary({ wrong, focus }: { wrong: readonly WrongField[]; focus: (name: Name) => void }) {
  const { t } = useTranslation('auth');
  if (wrong.length < 2) return null;
  return (
    <Banner tone="error" title={t('fixFields', { count: wrong.length })} isAlert>
      <ul>
        {wrong.map(({ name, text }) => (
          <li key={name}>
            <SummaryLink
              onClick={() => focus(name)}
            >{`${t(`field.${name}`)}: ${text}`}</SummaryLink>
          </li>
        ))}
      </ul>
    </Banner>
  );
}
