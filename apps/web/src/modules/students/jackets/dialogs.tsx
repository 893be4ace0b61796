import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exchangeJacket, type JacketHolder, returnJacket } from '#domain/students/jackets/endpoints.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { SignedFields, type SignedJacket } from './signed-fields.tsx'

type Props = {
  holder: JacketHolder
  /** Id of the hand-out on screen when the dialog was opened. */
  handOutId: string
  onClose: () => void
}

type ReturnedJacket = { reason: string; usable: boolean }
type ReturnedProps = {
  value: ReturnedJacket
  onChange: (value: ReturnedJacket) => void
  field: Checks['field']
}

/** Why a jacket is returned, and whether it can be worn again. */
function ReturnedFields({ value, onChange, field }: ReturnedProps) {
  const { t } = useTranslation('jackets')
  return (
    <>
      <ReasonInput
        label={t('reason')}
        value={value.reason}
        onChange={(event) => onChange({ ...value, reason: event.currentTarget.value })}
        data-autofocus
        {...field('reason')}
      />
      <Checkbox
        label={t('usable')}
        checked={value.usable}
        onChange={(event) => onChange({ ...value, usable: event.currentTarget.checked })}
      />
    </>
  )
}

/** Takes a jacket back and hands out another size, against a signature. */
export function ExchangeDialog({ holder, handOutId, onClose }: Props) {
  const { t } = useTranslation('jackets')
  const [jacket, setJacket] = useState<SignedJacket>({ size: null, signature: null, note: null })
  const [returned, setReturned] = useState<ReturnedJacket>({ reason: '', usable: true })
  const form = useForm({
    call: exchangeJacket,
    params: { id: holder.registrationId },
    body: { handOutId, ...jacket, note: jacket.signature ? null : jacket.note, ...returned },
    done: t('exchange.done'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('exchange.title')} form={form} submit={t('exchange.confirm')} onClose={onClose}>
      <ReturnedFields value={returned} onChange={setReturned} field={form.field} />
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
  const [returned, setReturned] = useState<ReturnedJacket>({ reason: '', usable: true })
  const form = useForm({
    call: returnJacket,
    params: { id: holder.registrationId },
    body: { handOutId, ...returned },
    done: t('return.done'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('return.title')} form={form} submit={t('return.confirm')} onClose={onClose}>
      <ReturnedFields value={returned} onChange={setReturned} field={form.field} />
    </DialogForm>
  )
}
