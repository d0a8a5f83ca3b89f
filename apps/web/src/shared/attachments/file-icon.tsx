import { FileText, Image } from 'lucide-react';

export function FileIcon({ type }: { type: string }) {
  const Icon = type.startsWith('image/') ? Image : FileText;
  return <Icon size={18} aria-hidden="true" />;
}
