import { Button, CopyButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export function CopyNumber({ value }: { value: string }) {
  const { t } = useTranslation('registration')
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button size="lg" onClick={copy} aria-live="polite">
          {t(copied ? 'result.copied' : 'result.copy')}
        </Button>
      )}
    </CopyButton>
  )
}
