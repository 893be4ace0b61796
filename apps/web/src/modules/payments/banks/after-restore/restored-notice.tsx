import { Alert, Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Restored, readRestored } from '#domain/payments/banks/after-restore/endpoints.ts'
import { anyScope, type CounterKind } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { EndRestoreDialog } from './end-restore-dialog.tsx'

const minute = 60_000

/** Time of the backup the books were restored from, and open tasks; renders nothing without an open restore. */
export default function RestoredNotice() {
  const { t } = useTranslation('ops')
  const { language } = useSurroundings()
  const [open, setOpen] = useState<'gaps' | 'end' | null>(null)
  const { data, error, refetch } = useEndpoint(readRestored, {}, { staleTime: minute, refetchInterval: minute })
  const restored = data?.data
  if (error && !data)
    return (
      <div style={{ marginBottom: 16 }}>
        <Missing what={t('restored.notice')} error={error} onRetry={refetch} />
      </div>
    )
  if (!restored) return null
  const { questions, silentBanks, gaps, lost } = restored
  const formatMoment = (moment: string) => dateTime(moment, language)
  const total = wholeNumber(questions.total)
  const shortGaps = gaps.filter((gap) => gap.short && gap.scope !== anyScope)
  return (
    <Alert
      color="orange"
      variant="light"
      mb="md"
      title={t('restored.title', { when: formatMoment(restored.backupAt) })}
    >
      <Stack gap="xs">
        <Text size="sm">{t('restored.text', { until: formatMoment(restored.restoredAt) })}</Text>
        <Text size="sm">
          {restored.askedAt
            ? t('restored.asked', { total, when: formatMoment(restored.askedAt) })
            : t('restored.asking', { asked: wholeNumber(questions.total - questions.waiting), total })}{' '}
          {t('restored.found', { count: restored.paymentsFound })}
        </Text>
        {silentBanks.length > 0 && (
          <Text size="sm">
            {t('restored.silent', { banks: silentBanks.join(', ') })}{' '}
            <Anchor component={Link} to="/rekonsiliasi/impor" size="sm" children={t('restored.import')} />
          </Text>
        )}
        {lost.length > 0 && (
          <Text size="sm">
            {t('restored.lost', { count: lost.length })}{' '}
            <Anchor component={Link} to="/uang-menunggu" size="sm" children={t('restored.waiting')} />
          </Text>
        )}
        {shortGaps.length > 0 && (
          <Text size="sm">{t('restored.short', { counters: shortGaps.map((gap) => nameOf(t, gap)).join(', ') })}</Text>
        )}
        <Group gap="xs">
          <Button variant="default" size="compact-md" onClick={() => setOpen('gaps')} children={t('restored.gaps')} />
          {restored.mayEnd && (
            <Button variant="default" size="compact-md" onClick={() => setOpen('end')} children={t('restored.end')} />
          )}
        </Group>
      </Stack>
      <Modal opened={open === 'gaps'} onClose={() => setOpen(null)} size="lg" title={t('restored.gaps')}>
        <Stack gap="sm">
          <Text size="sm">{t('restored.gapsText')}</Text>
          <Facts
            facts={gaps
              .filter(({ first, last }) => last >= first)
              .map((gap) => [
                nameOf(t, gap),
                t('restored.range', { first: wholeNumber(gap.first), last: wholeNumber(gap.last) }),
              ])}
          />
        </Stack>
      </Modal>
      {open === 'end' && <EndRestoreDialog unanswered={questions.waiting} onClose={() => setOpen(null)} />}
    </Alert>
  )
}

type Words = ReturnType<typeof useTranslation<'ops'>>['t']

/** Name of a counter and of its scope. */
function nameOf(t: Words, { kind, scope }: Restored['gaps'][number]) {
  const kindName = t(`restored.kinds.${kind as CounterKind}`)
  const scopeName = scope === anyScope ? t('restored.anyScope') : scope.replace('#', '…')
  return scopeName ? `${kindName} (${scopeName})` : kindName
}
