import { Anchor, Button, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { licenceScanContent, type StudentLicence, viewLicenceScan } from '#domain/students/licences/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useDownload } from '#web/api/use-download.ts'

/** Scan of a licence: a picture by its signed URL, a PDF as a download. */
export function Scan({ licence: { id, version, name } }: { licence: StudentLicence }) {
  const { t } = useTranslation('licences')
  const file = useDownload()
  const { data, error } = useQuery({
    queryKey: [viewLicenceScan.path, id, version],
    queryFn: async () => (await sendOnce(viewLicenceScan, { params: { id } })).data,
    // The signed URL expires after 15 minutes.
    staleTime: 10 * 60_000,
    refetchOnWindowFocus: false,
    networkMode: 'always',
  })
  if (!data) return error ? <Text role="alert">{error.message}</Text> : <Loader aria-label={t('scan.loading')} />
  return (
    <Stack align="flex-start">
      {data.url && (
        <Anchor href={data.url} target="_blank" rel="noreferrer">
          <img src={data.url} alt={t('scan.of', { name })} style={{ maxWidth: '100%', maxHeight: 560 }} />
        </Anchor>
      )}
      <Button
        variant="default"
        loading={file.busy}
        onClick={() => file.start(pathOf(licenceScanContent.path, { id }), data.name)}
      >
        {t('scan.download')}
      </Button>
    </Stack>
  )
}
