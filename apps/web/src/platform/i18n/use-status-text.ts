import { useTranslation } from 'react-i18next';
import { isolate } from './isolate.ts';

const translated = ['active', 'inactive', 'expired', 'suspended', 'trial'] as const;

/** Translates a known label; custom labels are shown as typed. */
export function useStatusText(): (label: string) => string {
  const { t } = useTranslation();
  return (label) => {
    const known = translated.find((name) => name === label.toLowerCase());
    return known ? t(`line.status.${known}`) : isolate(label);
  };
}
