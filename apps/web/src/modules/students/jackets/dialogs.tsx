import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { exchangeJacket, type JacketHolder, returnJacket } from '#domain/students/jackets/endpoints.ts'
import { type Bindings, useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { SignedFields, signedOf, unsigned } from './signed-fields.tsx'

type Props = {
  holder: JacketHolder
  /** Id of the hand-out on screen when the dialog was opened. */
  handOutId: string
  onClose: () => void
}

type ReturnedJacket = { reason: string; usable: boolean }
const returnedAtFirst: ReturnedJacket = { reason: '', usable: true }

/** Why a jacket is returned, and whether it can be worn again. */
function ReturnedFields({ form }: { form: Bindings<ReturnedJacket> }) {
  const { t } = useTranslation('jackets')
  return (
    <>
      <ReasonInput label={t('reason')} data-autofocus {...form.text('reason')} />
      <Checkbox label={t('usable')} {...form.box('usable')} />
    </>
  )
}

/** Takes a jacket back and hands out another size, against a signature. */
export function ExchangeDialog({ holder, handOutId, onClose }: Props) {
  const { t } = useTranslation('jackets')
  const form = useForm({
    call: exchangeJacket,
    params: { id: holder.registrationId },
    start: { ...returnedAtFirst, ...unsigned },
    body: ({ reason, usable, ...jacket }) => ({
      handOutId,
      ...signedOf(jacket),
      reason,
      usable,
    }),
    done: t('exchange.done'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('exchange.title')} form={form} submit={t('exchange.confirm')} onClose={onClose}>
      <ReturnedFields form={form} />
      <SignedFields holder={holder} form={form} />
    </DialogForm>
  )
}

/** Takes a jacket back without handing out another. */
export function ReturnDialog({ holder, handOutId, onClose }: Props) {
  const { t } = useTranslation('jackets')
  const form = useForm({
    call: returnJacket,
    params: { id: holder.registrationId },
    start: returnedAtFirst,
    body: (returned) => ({ handOutId, ...returned }),
    done: t('return.done'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('return.title')} form={form} submit={t('return.confirm')} onClose={onClose}>
      <ReturnedFields form={form} />
    </DialogForm>
  )
}
