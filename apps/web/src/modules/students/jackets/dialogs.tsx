import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exchangeJacket, type JacketHolder, returnJacket } from '#domain/students/jackets/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { SignedFields, type SignedJacket } from './signed-fields.tsx'

type Props = {
  holder: JacketHolder
  /** Id of the hand-out on the screen when the dialog was opened. */
  handOutId: string
  onClose: () => void
}

/** Takes a jacket back and hands another size out against a signature. */
export function ExchangeDialog({ holder, handOutId, onClose }: Props) {
  const { t } = useTranslation('jackets')
  const [jacket, setJacket] = useState<SignedJacket>({ size: null, signature: null, note: null })
  const [reason, setReason] = useState('')
  const [usable, setUsable] = useState(true)
  const form = useForm({
    call: exchangeJacket,
    params: { id: holder.registrationId },
    body: { handOutId, ...jacket, note: jacket.signature ? null : jacket.note, usable, reason },
    done: t('exchange.done'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('exchange.title')} form={form} submit={t('exchange.confirm')} onClose={onClose}>
      <ReasonInput
        label={t('reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
        {...form.field('reason')}
      />
      <Checkbox label={t('usable')} checked={usable} onChange={(event) => setUsable(event.currentTarget.checked)} />
      <SignedFields
        holder={holder}
        value={jacket}
        onChange={(changes) => setJacket((before) => ({ ...before, ...changes }))}
        field={form.field}
      />
    </DialogForm>
  )
}

/** Takes a jacket back without handing out another. */
export function ReturnDialog({ holder, handOutId, onClose }: Props) {
  const { t } = useTranslation('jackets')
  const [reason, setReason] = useState('')
  const [usable, setUsable] = useState(true)
  const form = useForm({
    call: returnJacket,
    params: { id: holder.registrationId },
    body: { handOutId, usable, reason },
    done: t('return.done'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('return.title')} form={form} submit={t('return.confirm')} onClose={onClose}>
      <ReasonInput
        label={t('reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
        {...form.field('reason')}
      />
      <Checkbox label={t('usable')} checked={usable} onChange={(event) => setUsable(event.currentTarget.checked)} />
    </DialogForm>
  )
}
