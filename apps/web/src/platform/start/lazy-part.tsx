import {
  type ComponentType,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { reachPanel } from '#platform/api/reach-panel.ts';
import { useConnection } from '#platform/browser/connection.ts';
import { loadTexts } from '#platform/i18n/i18n.ts';
import { useFetchFailedText } from '#platform/i18n/use-error-text.ts';
import { createStore } from '#platform/state/create-store.ts';
import { results } from '#platform/state/results.ts';

type TextNamespace = Parameters<typeof loadTexts>[0];

interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Prefetches the code, when it is likely to be needed soon. */
  fetch: () => void;
}

interface LazyOptions<Props> {
  /** Content while the code is loading. */
  before?: (props: Props) => ReactNode;
  /** Content if loading failed; by default `before` stays. */
  instead?: (props: Props) => ReactNode;
  /** Namespaces to load together with the code. */
  texts?: TextNamespace | readonly TextNamespace[];
  /** True for parts of the page that the user did not open, whose failures are not reported. */
  isPart?: boolean;
  /**
   * For overlays, which stay mounted after they were opened: returns a truthy value while open. A
   * new value counts as a new attempt to open.
   */
  isOpen?: (props: Props) => unknown;
}

type PropsOf<Component> = Component extends (props: infer Props extends object) => ReactNode
  ? Props
  : never;

/**
 * True if the props open an overlay: one with `anchor` is open while that is set; others use `open`, if they have it.
 */
function isOpenByProps(props: object): unknown {
  if ('anchor' in props) return props.anchor;
  return 'open' in props ? props.open : true;
}

/** Closes an overlay whose code could not be loaded, through its `onClose` prop. */
function close(props: object): void {
  if ('onClose' in props && typeof props.onClose === 'function') props.onClose();
}

/**
 * A component whose code is loaded when it is first shown, by its name in its file. Unlike React's `lazy`, it appears
 * without React's 300 ms delay for Suspense fallbacks, and a failed load does not replace the page:
 * a result explains the failure, the overlay closes, and the next attempt tries again. A component
 * that is still wanted loads when the connection is back.
 */
export function lazyPart<Module, Name extends keyof Module, Props extends PropsOf<Module[Name]>>(
  load: () => Promise<Module>,
  name: Name,
  options: LazyOptions<Props> = {},
): LazyPart<Props> {
  const { before, instead, texts = [], isPart = false, isOpen = isOpenByProps } = options;
  const loaded = createStore<ComponentType<Props> | undefined>(undefined);
  let loading: Promise<void> | undefined;

  const fetch = () => {
    loading ??= reachPanel()
      .then(() => Promise.all([load(), ...[texts].flat().map(loadTexts)]))
      .then(([module]) => loaded.set(module[name] as ComponentType<Props>));
    // Allows another attempt after a failure.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };

  function LateComponent(props: Props) {
    const fetched = loaded.use();
    // A part of the page is drawn in slices between other work, because the user did not request it.
    const deferred = useDeferredValue(fetched);
    const Component = isPart ? deferred : fetched;
    const connection = useConnection();
    const failedText = useFetchFailedText();
    const [hasFailed, setFailed] = useState(false);
    const saidFor = useRef<unknown>(undefined);
    const request = isOpen(props);
    const fail = useEffectEvent((problem: unknown) => {
      setFailed(true);
      if (isPart || saidFor.current === request) return;
      saidFor.current = request;
      results.warning(failedText(problem));
      close(props);
    });
    // biome-ignore lint/correctness/useExhaustiveDependencies: `connection` repeats the request once the browser is online again
    useEffect(() => {
      if (!request) saidFor.current = undefined;
      if (loaded.get() || !request) return;
      let isWanted = true;
      fetch().catch((problem) => isWanted && fail(problem));
      return () => {
        isWanted = false;
      };
    }, [request, connection]);
    const place = (hasFailed && instead ? instead : before)?.(props);
    if (!Component) return place;
    return (
      <Suspense fallback={place}>
        <Component {...props} />
      </Suspense>
    );
  }
  /**
   * The overlay, which renders nothing but `before` until it is opened, so that it costs the rows of a list nothing.
   */
  function LateOverlay(props: Props) {
    const [wasOpen, setWasOpen] = useState(() => Boolean(isOpen(props)));
    if (!wasOpen && isOpen(props)) setWasOpen(true);
    return wasOpen ? <LateComponent {...props} /> : before?.(props);
  }
  return Object.assign(isPart ? LateComponent : LateOverlay, {
    fetch: () => {
      fetch().catch(() => undefined);
    },
  });
}
