import type { CSSProperties, HTMLAttributes } from 'react';
import './vocabulary.css';

type Tag =
  | 'article'
  | 'aside'
  | 'b'
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
  /** Left out on a phone. */
  onlyWide?: boolean;
}

interface StackProps extends TextProps {
  /** Space between the children, in pixels. */
  gap?: 2 | 4 | 6 | 8 | 12 | 16 | 24 | 32;
  /** Space between the children on a phone, if it differs. */
  phoneGap?: 4 | 8 | 12 | 16 | 20;
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
export function Row({ align = 'center', inline, ...rest }: RowProps) {
  return <Box {...rest} align={align} kind={inline ? 'inline-row' : 'row'} />;
}

/** Children in columns. */
export function Grid({ columns, style, ...rest }: GridProps) {
  return <Box {...rest} style={{ ...style, '--columns': columns } as CSSProperties} kind="grid" />;
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

/** A list with a line between each two rows. */
export function Divided({ as = 'ul', ...rest }: TextProps) {
  return <Box {...rest} as={as} divided />;
}

interface BoxProps extends RowProps {
  kind?: 'stack' | 'row' | 'inline-row' | 'grid';
  single?: 'tablet' | 'phone';
}

function Box({
  as: Element = 'div',
  kind,
  gap,
  phoneGap,
  align,
  justify,
  grow,
  wrap,
  single,
  muted,
  caption,
  strong,
  divided,
  wraps,
  cut,
  twoLines,
  onlyWide,
  className,
  ...rest
}: BoxProps) {
  const classes = [
    kind,
    gap && `gap-${gap}`,
    phoneGap && `phone-gap-${phoneGap}`,
    align && `align-${align}`,
    justify && `justify-${justify}`,
    grow && 'grow',
    wrap && 'wrap',
    single && `single-${single}`,
    muted && 'muted',
    caption && 'caption',
    strong && 'strong',
    divided && 'divided',
    wraps && 'wraps',
    cut && 'cut',
    twoLines && 'two-lines',
    onlyWide && 'only-wide',
    className,
  ];
  return <Element {...rest} className={classes.filter(Boolean).join(' ')} />;
}
