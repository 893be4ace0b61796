import { Button, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './totp.module.css'

type Props = { codes: readonly string[]; email: string; onKept: () => void }

/** Shows the recovery codes once, to copy, download or print. */
export function RecoveryCodes({ codes, email, onKept }: Props) {
  const { t } = useTranslation('staff-accounts')
  const text = `PMB Online\n${t('totp.fileTitle', { email })}\n\n${codes.join('\n')}\n`
  const download = () => {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = address
    link.download = 'pmb-recovery-codes.txt'
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  }
  return (
    <Stack gap="md">
      <div role="status">
        <Title order={2} size="h3">
          {t('totp.codesTitle')}
        </Title>
        <Text mt={4}>{t('totp.codesText')}</Text>
        <Text className={classes.onPaper} mt={4}>
          {t('totp.fileTitle', { email })}
        </Text>
      </div>
      <ol className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <Group gap="xs" className="no-print">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<IconCopy size={18} aria-hidden />} onClick={copy}>
              {t(copied ? 'totp.copied' : 'totp.copy')}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={download}>
          {t('totp.download')}
        </Button>
        <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
          {t('totp.print')}
        </Button>
      </Group>
      <Group className="no-print">
        <Button onClick={onKept}>{t('totp.kept')}</Button>
      </Group>
    </Stack>
  )
}
