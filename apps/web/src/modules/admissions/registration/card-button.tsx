import { IconId } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { downloadCard } from '#domain/admissions/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { useDownload } from '#web/api/use-download.ts'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { registration: { id: string; code: string; cardReady: boolean; untilCard?: number } }

/** Downloads the registration card as a PDF; disabled, with the missing amount, until enough of the fee is paid. */
export function CardButton({ registration }: Props) {
  const { t } = useTranslation('registration')
  const { language } = useSurroundings()
  const { id, code, cardReady, untilCard = 0 } = registration
  const card = useDownload()
  return (
    <DisabledReason
      variant="default"
      leftSection={<IconId size={20} aria-hidden="true" />}
      onClick={() => card.start(pathOf(downloadCard.path, { id }), `${code}.pdf`, { language })}
      loading={card.busy}
      reason={
        cardReady ? null : untilCard > 0 ? t('detail.cardAfter', { amount: rupiah(untilCard) }) : t('detail.cardLater')
      }
    >
      {t('detail.printCard')}
    </DisabledReason>
  )
}
