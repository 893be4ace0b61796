import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { downloadSheet } from '#domain/counter/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { useDownload } from '#web/api/use-download.ts'

/** Downloads the sheet the applicant signs at the counter. */
export function SheetButton({ registration: { id, code } }: { registration: { id: string; code: string } }) {
  const { t } = useTranslation('counter')
  const sheet = useDownload()
  return (
    <Button
      variant="default"
      size="compact-md"
      loading={sheet.busy}
      onClick={() => sheet.start(pathOf(downloadSheet.path, { id }), `${code}.pdf`)}
    >
      {t('print')}
    </Button>
  )
}
