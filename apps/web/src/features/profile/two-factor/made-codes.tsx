import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Muted, Row, Stack } from '#kit/ui/vocabulary.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './two-factor.module.css';

export function MadeCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('twoFactor');
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Stack gap={12} className={styles.made}>
      <p ref={title} tabIndex={-1} className={styles.step}>
        {t('madeCodes')}
      </p>
      <Muted as="p" className={styles.subtitle}>
        {t('keepText')}
      </Muted>
      <RecoveryCodes codes={codes} />
      <Row align="stretch" gap={8} wrap>
        <Button variant="solid" onClick={onClose}>
          {t('recurring.done')}
        </Button>
      </Row>
    </Stack>
  );
}
