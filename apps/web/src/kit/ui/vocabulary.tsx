import type { HTMLAttributes } from 'react';
import './vocabulary.css';

type Tag =
  | 'article'
  | 'aside'
  | 'b'
  | 'code'
  | 'dd'
  | 'div'
  | 'dl'
  | 'dt'
  | 'fieldset'
  | 'footer'
  | 'h2'
  | 'h3'
  | 'header'
  | 'label'
  | 'legend'
  | 'li'
  | 'nav'
  | 'ol'
  | 'p'
  | 'section'
  | 'small'
  | 'span'
  | 'strong'
  | 'time'
  | 'ul';

const tones = {
  danger: 'var(--danger)',
  error: 'var(--error-fg)',
  inherit: 'inherit',
  neutral: 'var(--neutral-fg)',
  success: 'var(--success-fg)',
  text: 'var(--text)',
  warning: 'var(--warning-fg)',
};

interface TextProps extends HTMLAttributes<HTMLElement> {
  as?: Tag;
  /** For a `label`. */
  htmlFor?: string | undefined;
  /** For a `time`. */
  dateTime?: string;
  /** For a `fieldset`. */
  disabled?: boolean | undefined;
  /** Secondary colour. */
  muted?: boolean;
  /** Small text. */
  caption?: boolean;
  /** Semibold text. */
  strong?: boolean;
  /** Semibold, in the font of what is around it, whose digits are all as wide. */
  semibold?: boolean;
  /** A line between each two children. */
  divided?: boolean;
  /** Breaks long words instead of growing by them. */
  wraps?: boolean;
  /** One line, which ends with an ellipsis where it is too long. */
  cut?: boolean;
  /** Two lines at most. */
  twoLines?: boolean;
  /** Takes the remaining width of the row around it, and no more. */
  grow?: boolean;
  /** Keeps its width in the row around it. */
  rigid?: boolean;
  /** Space above, in pixels. */
  above?: 2 | 4 | 8 | 12 | 16 | 24 | 32;
  /** Space below, in pixels. */
  below?: 4 | 8 | 12 | 16 | 24 | 32;
  /** Moved to the end of the row around it. */
  push?: boolean;
  /** Another colour than that of what is around it. */
  tone?: keyof typeof tones | undefined;
  /** Left out on a phone. */
  onlyWide?: boolean;
}

interface StackProps extends TextProps {
  /** Space between the children, in pixels, or between the rows and between the columns. */
  gap?: 2 | 4 | 6 | 8 | 12 | 16 | 24 | 32 | `${number} ${number}`;
  /** Space between the children on a phone, if it differs. */
  phoneGap?: 0 | 4 | 8 | 12 | 16 | 20;
  align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch';
  justify?: 'between' | 'center' | 'end';
}

interface RowProps extends StackProps {
  /** Continues on another line where the width does not suffice. */
  wrap?: boolean;
  /** As wide as its content. */
  inline?: boolean;
}

interface GridProps extends StackProps {
  /** As `grid-template-columns` has them. */
  columns: string;
  /** The width from which downwards there is one column. */
  single?: 'tablet' | 'phone';
}

/** Children below one another, each as wide as the stack. */
export function Stack(props: StackProps) {
  return <Box {...props} kind="stack" />;
}

/** Children beside one another, centred vertically unless `align` says otherwise. */
export function Row(props: RowProps) {
  return <Box {...props} kind="row" />;
}

/** Children in columns. */
export function Grid(props: GridProps) {
  return <Box {...props} kind="grid" />;
}

/** Text in the colour of what is around it. */
export function Text({ as = 'span', ...rest }: TextProps) {
  return <Box {...rest} as={as} />;
}

/** Text in the secondary colour. */
export function Muted({ as = 'span', ...rest }: TextProps) {
  return <Box {...rest} as={as} muted />;
}

/** Small text in the secondary colour. */
export function Caption({ as = 'span', ...rest }: TextProps) {
  return <Box {...rest} as={as} caption muted />;
}

/** Semibold text. */
export function Strong({ as = 'b', ...rest }: TextProps) {
  return <Box {...rest} as={as} strong />;
}

interface BoxProps extends RowProps {
  kind?: 'stack' | 'row' | 'grid';
  columns?: string;
  single?: 'tablet' | 'phone';
}

const px = (lengths: number | string | undefined) =>
  lengths === undefined ? undefined : String(lengths).replaceAll(/\d+/g, '$&px');

function Box({
  as: Element = 'div',
  kind,
  columns,
  gap,
  phoneGap,
  align,
  justify,
  inline,
  grow,
  rigid,
  above,
  below,
  push,
  tone,
  wrap,
  single,
  muted,
  caption,
  strong,
  semibold,
  divided,
  wraps,
  cut,
  twoLines,
  onlyWide,
  className,
  style,
  ...rest
}: BoxProps) {
  // Each has a word of the same name, which reads it.
  const measures = {
    gap: px(gap),
    'phone-gap': px(phoneGap),
    above: px(above),
    below: px(below),
    columns,
    align,
    tone: tone && tones[tone],
    justify: justify === 'between' ? 'space-between' : justify,
  };
  const given = Object.entries(measures).filter(([, value]) => value !== undefined);
  const classes = [
    kind,
    ...given.map(([name]) => name),
    inline && 'inline-row',
    grow && 'grow',
    rigid && 'rigid',
    push && 'push',
    wrap && 'wrap',
    single && `single-${single}`,
    muted && 'muted',
    caption && 'caption',
    strong && 'strong',
    semibold && 'semibold',
    divided && 'divided',
    wraps && 'wraps',
    cut && 'cut',
    twoLines && 'two-lines',
    onlyWide && 'only-wide',
    className,
  ];
  const values = Object.fromEntries(given.map(([name, value]) => [`--${name}`, value]));
  return (
    <Element
      {...rest}
      style={given.length > 0 ? { ...style, ...values } : style}
      className={classes.filter(Boolean).join(' ')}
    />
  );
}
