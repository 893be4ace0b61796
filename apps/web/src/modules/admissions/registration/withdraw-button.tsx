import { Button, type ButtonProps, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { declineOffer, withdrawRegistration } from '#domain/admissions/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

const otherReason = 'other'

type Props = { registration: { id: string; code: string; status: string } }

/** Withdraws a registration; the dialog names the consequences and asks for a reason. */
export const WithdrawButton = (props: Props) => <EndButton {...props} step="withdraw" />

/** Declines an offered place; the dialog names the consequences and asks for a reason. */
export const DeclineButton = (props: Props & { size?: ButtonProps['size'] }) => <EndButton {...props} step="decline" />

type EndProps = Props & { step: 'withdraw' | 'decline'; size?: ButtonProps['size'] }

const calls = { withdraw: withdrawRegistration, decline: declineOffer }

function EndButton({ registration, step, size }: EndProps) {
  const { t } = useTranslation('registration')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="subtle" color="red" {...(size && { size })} onClick={() => setOpen(true)} aria-haspopup="dialog">
        {t(`end.${step}.button`)}
      </Button>
      {open && <EndDialog registration={registration} step={step} onClose={() => setOpen(false)} />}
    </>
  )
}

function EndDialog({ registration, step, onClose }: EndProps & { onClose: () => void }) {
  const { t } = useTranslation('registration')
  const queries = useQueryClient()
  const reasons = t(`end.${step}.reasons`, { returnObjects: true }) as unknown as string[]
  const form = useForm({
    call: calls[step],
    params: { id: registration.id },
    start: { picked: null as string | null, reason: '' },
    body: ({ picked, reason }) => ({ reason: picked === otherReason ? reason.trim() : (picked ?? undefined) }),
    done: t(`end.${step}.done`),
    onDone: onClose,
    // Reloads, because the status may have changed meanwhile.
    onRefused: () => void queries.invalidateQueries(),
  })
  const isOther = form.values.picked === otherReason
  return (
    <DialogForm
      form={form}
      title={t(`end.${step}.title`)}
      submit={t(`end.${step}.button`)}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text>
        {t(
          step === 'withdraw' && registration.status === 'confirmed'
            ? 'end.withdraw.textConfirmed'
            : `end.${step}.text`,
        )}
      </Text>
      <Radio.Group
        label={t(`end.${step}.reason`)}
        value={form.values.picked}
        onChange={(picked) => form.set({ picked })}
        {...(!isOther && form.field('reason'))}
      >
        <Stack gap={4} mt="xs">
          {[...reasons, otherReason].map((value) => (
            <Radio
              key={value}
              value={value}
              label={value === otherReason ? t('end.other') : value}
              styles={{ body: { minHeight: 44, alignItems: 'center' } }}
            />
          ))}
        </Stack>
      </Radio.Group>
      {isOther && <Textarea label={t('end.own')} {...form.text('reason')} />}
    </DialogForm>
  )
}
