import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { type JacketHolder, readJacketHolder } from '#domain/students/jackets/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ExchangeDialog, ReturnDialog } from './dialogs.tsx'
import { HandOutFacts } from './hand-out-facts.tsx'
import { HolderFacts } from './holder-facts.tsx'

/** One student's jacket: exchange, return, and all earlier ones with their signatures. */
export default function JacketPage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useEndpoint(readJacketHolder, { params: { id } })
  usePageTitle(data?.data.name)
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  return <Jacket holder={data.data} />
}

function Jacket({ holder }: { holder: JacketHolder }) {
  const { t } = useTranslation('jackets')
  const [open, setOpen] = useState<{ dialog: 'exchange' | 'return'; handOutId: string } | null>(null)
  const held = holder.handOuts.find(({ endedAt }) => endedAt === null)
  const { may } = useSession()
  const close = () => setOpen(null)
  return (
    <>
      <PageHeader
        title={holder.name}
        actions={
          held ? (
            <>
              <Button variant="default" onClick={() => setOpen({ dialog: 'return', handOutId: held.id })}>
                {t('detail.return')}
              </Button>
              <Button onClick={() => setOpen({ dialog: 'exchange', handOutId: held.id })}>
                {t('detail.exchange')}
              </Button>
            </>
          ) : (
            holder.status === 'enrolled' &&
            may('jaket-mahasiswa-create') && (
              <Button component={Link} to={`/jaket-mahasiswa/create?code=${encodeURIComponent(holder.code)}`}>
                {t('open.handOut')}
              </Button>
            )
          )
        }
      />
      <Stack>
        <Card>
          <HolderFacts holder={holder} />
        </Card>
        <Card title={t('detail.history')}>
          {holder.handOuts.length === 0 ? (
            <Text>{t('detail.none')}</Text>
          ) : (
            <Stack gap="lg">
              {holder.handOuts.map((handOut) => (
                <HandOutFacts key={handOut.id} handOut={handOut} />
              ))}
            </Stack>
          )}
        </Card>
      </Stack>
      {open?.dialog === 'exchange' && <ExchangeDialog holder={holder} handOutId={open.handOutId} onClose={close} />}
      {open?.dialog === 'return' && <ReturnDialog holder={holder} handOutId={open.handOutId} onClose={close} />}
    </>
  )
}
