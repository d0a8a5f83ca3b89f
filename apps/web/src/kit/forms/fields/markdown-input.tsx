import { Bold, Code, Italic, Link, List, ListOrdered } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Markdown } from '#kit/markdown/markdown.tsx';
import type { MarkdownProps } from '#kit/markdown/markdown-text.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { useIsBesideNavigation } from '#platform/browser/use-is-phone.ts';
import { changeSelected } from './change-selected.ts';
import { FieldFrame } from './field-frame.tsx';
import { InputBox } from './input-box.tsx';
import { type Marking, marked } from './marked.ts';
import { showWhole } from './show-whole.ts';
import { type FieldProps, useField } from './use-field.ts';

interface MarkdownInputProps<Values extends FieldValues, Output>
  extends FieldProps<Values, Output> {
  rows?: number;
  maxLength?: number;
  /** True for buttons that format the selected text. */
  hasTools?: boolean;
  /** True if line breaks are kept as they are typed. */
  keepsLines?: boolean;
  /** True for a preview beside the text, if there is room. */
  hasSidePreview?: boolean;
  /** Called on Ctrl+Enter or Cmd+Enter. */
  onSend?: () => void;
  /** Content in the box, below the text. */
  below?: ReactNode;
}

const modes = ['write', 'preview'] as const;
type Mode = (typeof modes)[number];

const tools = {
  bold: Bold,
  italic: Italic,
  list: List,
  numbers: ListOrdered,
  code: Code,
  link: Link,
};

/** An input for Markdown, with a preview. */
export function MarkdownInput<Values extends FieldValues, Output>(
  props: MarkdownInputProps<Values, Output>,
) {
  const { rows = 6, maxLength, hasTools = false, keepsLines = false, onSend, below } = props;
  const isBeside = useIsBesideNavigation() && (props.hasSidePreview ?? false);
  const { field, frame, input } = useField(props);
  const [mode, setMode] = useState<Mode>('write');
  const box = useRef<HTMLTextAreaElement | null>(null);
  const value: string = field.value ?? '';
  const mark = (marking: Marking) => {
    const area = box.current;
    if (!area) return;
    const next = marked(marking, value, [area.selectionStart, area.selectionEnd]);
    changeSelected(area, () => field.onChange(next.text), next.selection);
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSend?.();
  };
  return (
    <FieldFrame
      {...frame}
      {...(isBeside ? {} : { aside: <Modes mode={mode} onChange={setMode} /> })}
    >
      <div className={isBeside ? 'grid grid-cols-2 gap-4 [&_textarea]:flex-1' : undefined}>
        <InputBox
          className="flex-col gap-2 [&[hidden]]:hidden"
          isMultiline
          isInvalid={frame.errorText !== undefined}
          hidden={mode === 'preview' && !isBeside}
        >
          {hasTools && <Tools onMark={mark} />}
          <textarea
            {...input}
            ref={(area) => {
              box.current = area;
              field.ref(area);
            }}
            name={field.name}
            dir="auto"
            rows={rows}
            maxLength={maxLength}
            value={value}
            // An empty reply is not an error when its box is left.
            onBlur={onSend && !value ? undefined : field.onBlur}
            onChange={({ target }) => field.onChange(target.value)}
            onKeyDown={sendByKey}
            onKeyUp={showWhole}
          />
          {below}
        </InputBox>
        {(mode === 'preview' || isBeside) && (
          <Preview text={value} keepsLines={keepsLines} below={isBeside ? undefined : below} />
        )}
      </div>
    </FieldFrame>
  );
}

interface PreviewProps extends MarkdownProps {
  below: ReactNode;
}

function Preview({ text, keepsLines, below }: PreviewProps) {
  const { t } = useTranslation();
  return (
    <section
      className="min-h-24 py-2.5 px-3 border border-divider-strong rounded-control"
      aria-label={t('markdown.preview')}
    >
      {text.trim() ? (
        <Markdown text={text} keepsLines={keepsLines ?? false} />
      ) : (
        <p className="text-text-2">{t('markdown.nothing')}</p>
      )}
      {below}
    </section>
  );
}

function Modes({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  const { t } = useTranslation();
  return (
    <Segments
      label={t('markdown.preview')}
      value={mode}
      options={modes.map((value) => ({ value, label: t(`markdown.${value}`) }))}
      onChange={onChange}
    />
  );
}

function Tools({ onMark }: { onMark: (marking: Marking) => void }) {
  const { t } = useTranslation();
  return (
    <div
      className="flex flex-wrap items-stretch gap-1 w-[calc(100%_+_24px)] -mt-1.5 -mx-3 mb-0 pt-0 px-2 pb-1 border-b border-b-divider"
      role="toolbar"
      aria-label={t('markdown.format')}
    >
      {(Object.keys(tools) as Marking[]).map((marking) => {
        const Icon = tools[marking];
        return (
          <IconButton
            key={marking}
            size="small"
            label={t(`markdown.${marking}`)}
            // The default would take the selection away from the text.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onMark(marking)}
          >
            <Icon size={18} />
          </IconButton>
        );
      })}
    </div>
  );
}
