import { notifications } from '@mantine/notifications'
import { IconId } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadCard } from '#domain/admissions/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { download } from '#web/api/client.ts'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { registration: { id: string; code: string; cardReady: boolean; untilCard?: number } }

/** Downloads the registration card as a PDF; disabled with the missing amount until enough of the fee is paid. */
export function CardButton({ registration }: Props) {
  const { t } = useTranslation('registration')
  const { language } = useSurroundings()
  const { cardReady, untilCard = 0 } = registration
  const [busy, setBusy] = useState(false)
  const downloadCardFile = async () => {
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
      onClick={downloadCardFile}
      loading={busy}
      reason={
        cardReady ? null : untilCard > 0 ? t('detail.cardAfter', { amount: rupiah(untilCard) }) : t('detail.cardLater')
      }
    >
      {t('detail.printCard')}
    </DisabledReason>
  )
}
