import { notifications } from '@mantine/notifications'
import { IconId } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadCard } from '#domain/admissions/endpoints.ts'
import { download } from '#web/api/client.ts'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

/** The registration card as a PDF; before the fee is settled the button tells so. */
export function CardButton({ registration }: { registration: { id: string; code: string; cardReady: boolean } }) {
  const { t } = useTranslation('registration')
  const { language } = useSurroundings()
  const [busy, setBusy] = useState(false)
  const print = async () => {
    setBusy(true)
    try {
      const path = downloadCard.path.replace(':id', registration.id)
      await download(path, `${registration.code}.pdf`, { language })
    } catch (error) {
      notifications.show({ color: 'red', message: (error as Error).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <DisabledReason
      variant="default"
      leftSection={<IconId size={20} aria-hidden="true" />}
      onClick={print}
      loading={busy}
      reason={registration.cardReady ? null : t('detail.cardLater')}
    >
      {t('detail.printCard')}
    </DisabledReason>
  )
}
