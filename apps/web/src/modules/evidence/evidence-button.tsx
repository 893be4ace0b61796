import { Button } from '@mantine/core'
import { IconFileCertificate } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { downloadEvidence } from '#domain/evidence/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { useDownload } from '#web/api/use-download.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

const timeoutMs = 10 * 60_000

/** Downloads the evidence pack of a registration; for roles with `berkas-mahasiswa-update`. */
export function EvidenceButton({ registration }: { registration: { id: string; code: string } }) {
  const { t } = useTranslation('evidence')
  const { language } = useSurroundings()
  const { id, code } = registration
  const pack = useDownload()
  return (
    <Button
      variant="default"
      leftSection={<IconFileCertificate size={18} aria-hidden="true" />}
      loading={pack.busy}
      title={t('help')}
      onClick={() =>
        pack.start(pathOf(downloadEvidence.path, { id }), `${code}-evidence.zip`, { language }, { timeoutMs })
      }
    >
      {t('download')}
    </Button>
  )
}
