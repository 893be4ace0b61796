import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ClothesSize } from '#domain/applicants/profile.ts'
import type { JacketHolder } from '#domain/students/jackets/endpoints.ts'
import { SignaturePad } from './signature-pad.tsx'

export type SignedJacket = { size: ClothesSize | null; signature: string | null; note: string | null }

type Props = {
  holder: JacketHolder
  value: SignedJacket
  onChange: (changes: Partial<SignedJacket>) => void
  field: (name: string) => { error: string | undefined; wrapperProps: Record<`data-${string}`, string> }
}

/** Jacket size, and the signature of the receiving student. */
export function SignedFields({ holder, value, onChange, field }: Props) {
  const { t } = useTranslation('jackets')
  const left = holder.onHand.find(({ size }) => size === value.size)?.count
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
        value={value.size}
        onChange={(size) => onChange({ size: size as ClothesSize | null })}
        {...field('size')}
        {...(left === 0 && { description: t('desk.short', { size: value.size }) })}
      />
      <SignaturePad value={value.signature} onChange={(signature) => onChange({ signature })} {...field('signature')} />
      {!value.signature && (
        <TextInput
          label={t('signature.without')}
          description={t('signature.withoutHint')}
          value={value.note ?? ''}
          onChange={(event) => onChange({ note: event.currentTarget.value || null })}
          {...field('note')}
        />
      )}
    </>
  )
}
