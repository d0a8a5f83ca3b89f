import type { Language } from '@linekeeper/contract/languages.ts';
import { type ReactNode, useId } from 'react';

const drawings: Record<Language, ReactNode> = {
  en: (
    <>
      <path fill="#012169" d="M0 0h24v18H0z" />
      <path d="M0 0l24 18M24 0L0 18" stroke="#fff" strokeWidth="3.6" />
      <path d="M0 0l24 18M24 0L0 18" stroke="#C8102E" strokeWidth="1.5" />
      <path d="M12 0v18M0 9h24" stroke="#fff" strokeWidth="6" />
      <path d="M12 0v18M0 9h24" stroke="#C8102E" strokeWidth="3.4" />
    </>
  ),
  de: (
    <>
      <path d="M0 0h24v6H0z" fill="#1C1C1C" />
      <path d="M0 6h24v6H0z" fill="#DD0000" />
      <path d="M0 12h24v6H0z" fill="#FFCC00" />
    </>
  ),
  pl: (
    <>
      <path fill="#fff" d="M0 0h24v9H0z" />
      <path fill="#DC143C" d="M0 9h24v9H0z" />
      <path
        d="M.5 9V4A3.5 3.5 0 0 1 4 .5h16A3.5 3.5 0 0 1 23.5 4v5"
        fill="none"
        stroke="#DFE3E8"
        strokeWidth="1"
      />
    </>
  ),
  pt: (
    <>
      <path fill="#046A38" d="M0 0h9.6v18H0z" />
      <path fill="#DA291C" d="M9.6 0H24v18H9.6z" />
      <circle cx="9.6" cy="9" r="3.8" fill="#FFE900" />
      <path
        d="M7.8 7.2h3.6v2.2a1.8 1.8 0 0 1-3.6 0z"
        fill="#fff"
        stroke="#DA291C"
        strokeWidth=".9"
      />
    </>
  ),
};

export function Flag({ language }: { language: Language }) {
  const clip = useId();
  return (
    <svg width="24" height="18" viewBox="0 0 24 18" aria-hidden="true">
      <clipPath id={clip}>
        <rect width="24" height="18" rx="4" />
      </clipPath>
      <g clipPath={`url(#${clip})`}>{drawings[language]}</g>
    </svg>
  );
}
