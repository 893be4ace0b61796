import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type JacketHolder, readJacketHolder } from '#domain/students/jackets/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ExchangeDialog, ReturnDialog } from './dialogs.tsx'
import { HolderFacts } from './holder-facts.tsx'
import { Signature } from './signature.tsx'

/** The jacket of one student: exchanged, taken back, and every one before it with its signature. */
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
  const close = () => setOpen(null)
  return (
    <>
      <PageHeader
        title={holder.name}
        actions={
          held && (
            <>
              <Button variant="default" onClick={() => setOpen({ dialog: 'return', handOutId: held.id })}>
                {t('detail.return')}
              </Button>
              <Button onClick={() => setOpen({ dialog: 'exchange', handOutId: held.id })}>
                {t('detail.exchange')}
              </Button>
            </>
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
                <HandOut key={handOut.id} handOut={handOut} />
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

function HandOut({ handOut }: { handOut: JacketHolder['handOuts'][number] }) {
  const { t } = useTranslation('jackets')
  const { language } = useSurroundings()
  const { size, handedAt, handedBy, signature, note, endedAt, endedAs, endedReason, usable } = handOut
  const when = longDate(handedAt, language)
  return (
    <Stack gap={4}>
      <Text fw={600}>
        {t('column.size')} {size}
      </Text>
      <Text size="sm">{t('detail.given', { when, who: handedBy ?? t('system') })}</Text>
      {note && <Text size="sm">{note}</Text>}
      {signature && <Signature path={signature} label={t('signature.of', { when })} />}
      {endedAt && endedAs && (
        <Text size="sm">
          {t(`detail.ended.${endedAs}`, { when: longDate(endedAt, language), reason: endedReason })}
          {usable === false && ` (${t('detail.unusable')})`}
        </Text>
      )}
    </Stack>
  )
}
