import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ClothesSize } from '#domain/applicants/profile.ts'
import type { JacketHolder } from '#domain/students/jackets/endpoints.ts'
import type { Bindings } from '#web/api/use-form.ts'
import { SignaturePad } from './signature-pad.tsx'

type SignedJacket = { size: ClothesSize | null; signature: string | null; note: string }

export const unsigned: SignedJacket = { size: null, signature: null, note: '' }

/** Part of a body; a note is sent only instead of a signature. */
export const signedOf = ({ size, signature, note }: SignedJacket) => ({
  size,
  signature,
  note: signature ? null : note || null,
})

type Props = {
  holder: JacketHolder
  form: Bindings<SignedJacket>
}

/** Jacket size, and the signature of the receiving student. */
export function SignedFields({ holder, form }: Props) {
  const { t } = useTranslation('jackets')
  const { size: chosenSize, signature } = form.values
  const left = holder.onHand.find(({ size }) => size === chosenSize)?.count
  return (
    <>
      <Select
        label={t('desk.size')}
        withAsterisk
        data={holder.onHand.map(({ size, count }) => ({
          value: size,
          label: t('desk.sizeLeft', { size, count }),
          disabled: count === 0,
        }))}
        {...form.value('size')}
        {...(left === 0 && { description: t('desk.short', { size: chosenSize }) })}
      />
      <SignaturePad {...form.value('signature')} />
      {!signature && (
        <TextInput label={t('signature.without')} description={t('signature.withoutHint')} {...form.text('note')} />
      )}
    </>
  )
}
