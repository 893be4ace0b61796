import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResultFacts } from './result-picture.ts'

/** Draws the result on the device and opens the phone's share sheet, or saves the picture where there is none. */
export function ShareResultButton({ facts }: { facts: ResultFacts }) {
  const { t } = useTranslation('registration')
  const [busy, setBusy] = useState(false)
  const share = async () => {
    setBusy(true)
    try {
      const { pictureOfResult } = await import('./result-picture.ts')
      const picture = new File([await pictureOfResult(facts)], 'pmb.png', { type: 'image/png' })
      if (navigator.canShare?.({ files: [picture] })) await navigator.share({ files: [picture], title: facts.hail })
      else save(picture)
    } catch (failure) {
      // The reader closed the share sheet.
      if ((failure as Error).name !== 'AbortError')
        notifications.show({ color: 'red', message: (failure as Error).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="white"
      color="dark"
      size="lg"
      leftSection={<IconShare size={20} aria-hidden="true" />}
      loading={busy}
      onClick={() => void share()}
    >
      {t('result.share')}
    </Button>
  )
}

function save(picture: File) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = picture.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
