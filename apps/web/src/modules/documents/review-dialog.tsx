import { Button, Chip, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { universityCalendar } from '#domain/calendar.ts'
import { shiftDay } from '#domain/days.ts'
import type { ReviewAction } from '#domain/documents/document-status.ts'
import {
  type DocumentSlot,
  deferDocument,
  rejectDocument,
  reopenDocument,
  waiveDocument,
} from '#domain/documents/endpoints.ts'
import { rejectReasons } from '#domain/documents/reject-reasons.ts'
import type { ApiError } from '../../api/client.ts'
import { useChecks } from '../../api/use-checks.ts'
import { Failure } from '../../ui/failure.tsx'
import { useSurroundings } from '../../ui/words.tsx'

export type Answer = { reason?: string; until?: string }

type Props = {
  action: Exclude<ReviewAction, 'approve'>
  slot: DocumentSlot
  /** Why the last try was not taken. */
  refusal: ApiError | null
  running: boolean
  onClose: () => void
  onAnswer: (answer: Answer) => void
}

const endpoints = {
  reject: rejectDocument,
  waive: waiveDocument,
  defer: deferDocument,
  reopen: reopenDocument,
} as const

const titles = { reject: 'rejectTitle', waive: 'waiveTitle', defer: 'deferTitle', reopen: 'reopenTitle' } as const

const tomorrow = () => shiftDay(universityCalendar().dayOf(new Date()), 1)

/** Asks what a step needs besides the click: a reason, or a date. */
export function ReviewDialog({ action, slot, refusal, running, onClose, onAnswer }: Props) {
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState<string | null>(null)
  const body =
    action === 'defer'
      ? { version: slot.version, ...(until && { until }) }
      : { version: slot.version, ...((reason.trim() || action !== 'waive') && { reason: reason.trim() }) }
  const checks = useChecks(endpoints[action], body, { refusal })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!running && checks.isReady()) onAnswer({ reason: reason.trim(), ...(until && { until }) })
  }
  const quick = rejectReasons.map((key) => t(`reasons.${key}`))

  return (
    <Modal
      opened
      onClose={onClose}
      title={`${t(titles[action])} · ${slot.name}`}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form {...checks.form} onSubmit={submit} noValidate>
        <Stack>
          {action === 'reject' && (
            <>
              <Text size="sm">{t('rejectHelp')}</Text>
              <Group gap="xs" role="group" aria-label={t('reasonLabel')}>
                {quick.map((sentence) => (
                  <Chip
                    key={sentence}
                    size="sm"
                    checked={reason === sentence}
                    onChange={() => setReason(sentence)}
                    styles={{ label: { height: 'auto', whiteSpace: 'normal', paddingBlock: 6 } }}
                  >
                    {sentence}
                  </Chip>
                ))}
              </Group>
            </>
          )}
          {action === 'waive' && <Text size="sm">{t('waiveHelp')}</Text>}
          {action === 'defer' ? (
            <DatePickerInput
              label={t('until')}
              locale={language}
              minDate={tomorrow()}
              value={until}
              onChange={setUntil}
              data-autofocus
              {...checks.field('until')}
            />
          ) : (
            <Textarea
              label={t('reasonLabel')}
              maxLength={300}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              data-autofocus
              {...checks.field('reason')}
            />
          )}
          <Failure>{checks.unsaid}</Failure>
          <Group>
            <Button type="submit" loading={running}>
              {t(action)}
            </Button>
            <Button variant="default" onClick={onClose} disabled={running}>
              {t('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
