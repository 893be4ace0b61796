import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { downloadSheet } from '#domain/counter/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { useDownload } from '#web/api/use-download.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Downloads the sheet that the applicant signs at the counter. */
export function SheetButton({ registration: { id, code } }: { registration: { id: string; code: string } }) {
  const { t } = useTranslation('counter')
  const { language } = useSurroundings()
  const sheet = useDownload()
  return (
    <Button
      variant="default"
      size="compact-md"
      loading={sheet.busy}
      onClick={() => sheet.start(pathOf(downloadSheet.path, { id }), `${code}.pdf`, { language })}
    >
      {t('print')}
    </Button>
  )
}
