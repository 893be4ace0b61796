import { Button, type ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadAcceptanceLetter } from '#domain/admissions/offer-endpoints.ts'
import { download } from '#web/api/client.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { registration: { id: string; code: string } } & Pick<ButtonProps, 'size' | 'variant'>

/** Downloads the acceptance letter as a PDF. */
export function LetterButton({ registration, size, variant = 'default' }: Props) {
  const { t } = useTranslation('registration')
  const { language } = useSurroundings()
  const [busy, setBusy] = useState(false)
  const downloadLetter = async () => {
    setBusy(true)
    try {
      const path = downloadAcceptanceLetter.path.replace(':id', registration.id)
      await download(path, `${registration.code}.pdf`, { language })
    } catch (error) {
      notifications.show({ color: 'red', message: (error as Error).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant={variant}
      {...(variant === 'white' && { color: 'dark' })}
      {...(size && { size })}
      leftSection={<IconFileText size={20} aria-hidden="true" />}
      loading={busy}
      onClick={downloadLetter}
    >
      {t('confirm.letter')}
    </Button>
  )
}
