import { Button, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withdrawRegistration } from '#domain/admissions/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

const otherReason = 'other'

type Props = { registration: { id: string; code: string } }

/** Withdraws a registration; the dialog names the consequences and asks for a reason. */
export function WithdrawButton({ registration }: Props) {
  const { t } = useTranslation('registration')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpen(true)} aria-haspopup="dialog">
        {t('detail.withdraw')}
      </Button>
      {open && <WithdrawDialog registration={registration} onClose={() => setOpen(false)} />}
    </>
  )
}

function WithdrawDialog({ registration, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation('registration')
  const queries = useQueryClient()
  const [pickedReason, setPickedReason] = useState<string | null>(null)
  const [ownReason, setOwnReason] = useState('')
  const reasons = t('detail.withdrawReasons', { returnObjects: true }) as unknown as string[]
  const reason = pickedReason === otherReason ? ownReason.trim() : (pickedReason ?? undefined)
  const form = useForm({
    call: withdrawRegistration,
    params: { id: registration.id },
    body: { reason },
    done: t('detail.withdrawn'),
    onDone: onClose,
    // The status may have changed meanwhile: load it again.
    onRefused: () => void queries.invalidateQueries(),
  })
  return (
    <DialogForm
      form={form}
      title={t('detail.withdrawTitle')}
      submit={t('detail.withdraw')}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text>{t('detail.withdrawText')}</Text>
      <Radio.Group
        label={t('detail.withdrawReason')}
        value={pickedReason}
        onChange={setPickedReason}
        {...(pickedReason !== otherReason && form.field('reason'))}
      >
        <Stack gap={4} mt="xs">
          {[...reasons, otherReason].map((value) => (
            <Radio
              key={value}
              value={value}
              label={value === otherReason ? t('detail.withdrawOther') : value}
              styles={{ body: { minHeight: 44, alignItems: 'center' } }}
            />
          ))}
        </Stack>
      </Radio.Group>
      {pickedReason === otherReason && (
        <Textarea
          label={t('detail.withdrawOwn')}
          value={ownReason}
          onChange={(event) => setOwnReason(event.currentTarget.value)}
          {...form.field('reason')}
        />
      )}
    </DialogForm>
  )
}
