import { Component, type ReactNode } from 'react';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { isAffordable } from './markdown-cost.ts';
import type { MarkdownProps } from './markdown-text.tsx';

function AsTyped({ text }: { text: string }) {
  return <p style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</p>;
}

interface GuardedProps {
  text: string;
  children: ReactNode;
}

interface GuardedState {
  text: string;
  hasFailed: boolean;
}

/** Shows the plain text if it cannot be drawn, so that the error does not remove the whole page. */
class Guarded extends Component<GuardedProps, GuardedState> {
  override state: GuardedState = { text: this.props.text, hasFailed: false };

  /** Tries to draw Markdown again once the text has changed. */
  static getDerivedStateFromProps({ text }: GuardedProps, state: GuardedState) {
    return text === state.text ? null : { text, hasFailed: false };
  }

  static getDerivedStateFromError(): Partial<GuardedState> {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <AsTyped text={this.props.text} /> : this.props.children;
  }
}

const ParsedMarkdown = lazyPart(() => import('./markdown-text.tsx'), 'MarkdownText', {
  isPart: true,
  before: AsTyped,
});

/**
 * Markdown without raw HTML, with safe links, and with images only of this panel. Its libraries are
 * loaded when the first text is shown; until then, and if that fails, the plain text is shown.
 * Texts that would take long to parse are also shown plain.
 */
export function Markdown(props: MarkdownProps) {
  if (!isAffordable(props.text)) return <AsTyped text={props.text} />;
  return (
    <Guarded text={props.text}>
      <ParsedMarkdown {...props} />
    </Guarded>
  );
}
