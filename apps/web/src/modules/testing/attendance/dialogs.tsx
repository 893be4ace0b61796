import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AttendanceList, excuseAbsence, type Participant } from '#domain/testing/attendance-endpoints.ts'
import { weekdayDate } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type ForceProps = { onForce: (reason: string) => void; onClose: () => void }

const shortestReason = 3

/** Asks why a person who is not on the list is admitted; works without network. */
export function ForceDialog({ onForce, onClose }: ForceProps) {
  const { t } = useTranslation('attendance')
  const { say } = useSurroundings()
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const isShort = reason.trim().length < shortestReason
  return (
    <Modal opened onClose={onClose} title={t('force.title')} closeButtonProps={{ 'aria-label': say('actions.close') }}>
      <Stack>
        <Text size="sm">{t('force.text')}</Text>
        <ReasonInput
          data-autofocus
          label={t('force.reason')}
          value={reason}
          maxLength={reasonLength}
          error={isSubmitted && isShort ? t('force.missing') : undefined}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('actions.cancel')}
          </Button>
          <Button
            onClick={() => {
              setSubmitted(true)
              if (!isShort) onForce(reason.trim())
            }}
          >
            {t('force.confirm')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Longest reason the call accepts. */
const reasonLength = 300

type ExcuseProps = {
  participant: Participant
  alternatives: AttendanceList['alternatives']
  onClose: () => void
}

/** Gives an absent participant a seat in another session. */
export function ExcuseDialog({ participant, alternatives, onClose }: ExcuseProps) {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  const form = useForm({
    call: excuseAbsence,
    params: { id: participant.seatId },
    start: { testSessionId: null as string | null, reason: '' },
    body: ({ testSessionId, reason }) => ({ testSessionId, reason: reason.trim() }),
    done: t('excuse.done', { name: participant.name }),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('excuse.title', { name: participant.name })}
      submit={alternatives.length === 0 ? null : t('excuse.confirm')}
      onClose={onClose}
    >
      <Text size="sm">{t(alternatives.length === 0 ? 'excuse.none' : 'excuse.text')}</Text>
      {alternatives.length > 0 && (
        <>
          <Radio.Group label={t('excuse.session')} {...form.value('testSessionId')}>
            <Stack gap="xs" mt="xs">
              {alternatives.map(({ id, name, date, startTime, seatsLeft }) => (
                <Radio
                  key={id}
                  value={id}
                  label={`${weekdayDate(date, language)}, ${startTime.replace(':', '.')} · ${name}`}
                  description={t('excuse.seats', { count: seatsLeft })}
                />
              ))}
            </Stack>
          </Radio.Group>
          <ReasonInput label={t('excuse.reason')} {...form.text('reason')} />
        </>
      )}
    </DialogForm>
  )
}
