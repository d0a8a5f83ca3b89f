import { useTranslation } from 'react-i18next';
import { encode } from 'uqr';
import styles from './two-factor.module.css';

/** Black on white in any theme, with the quiet zone that scanners need. */
export function QrCode({ text }: { text: string }) {
  const { t } = useTranslation('twoFactor');
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('qr')}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
