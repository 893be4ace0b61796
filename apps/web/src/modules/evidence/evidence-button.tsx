import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileCertificate } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { downloadEvidence } from '#domain/evidence/endpoints.ts'
import { download, pathOf } from '#web/api/client.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const timeoutMs = 10 * 60_000

/** Downloads the evidence pack of a registration; nothing without the permission. */
export function EvidenceButton({ registration }: { registration: { id: string; code: string } }) {
  const { t } = useTranslation('evidence')
  const { language } = useSurroundings()
  const { may } = useSession()
  const { id, code } = registration
  const fetching = useMutation({
    mutationFn: () =>
      download(pathOf(downloadEvidence.path, { id }), `${code}-evidence.zip`, { language }, { timeoutMs }),
    onError: ({ message }) => notifications.show({ color: 'red', message }),
  })
  if (!may(downloadEvidence.access)) return null
  return (
    <Button
      variant="default"
      leftSection={<IconFileCertificate size={18} aria-hidden="true" />}
      loading={fetching.isPending}
      title={t('help')}
      onClick={() => fetching.mutate()}
    >
      {t('download')}
    </Button>
  )
}
