import { Input, NumberInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ClothesSize, clothesSizes } from '#domain/applicants/profile.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { countJackets, receiveJackets } from '#domain/students/jackets/endpoints.ts'
import { listJacketStock } from '#domain/students/jackets/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const countOf = (typed: string | number) => (typed === '' ? null : Number(typed))

/** Adds a delivery of several sizes to the stock. */
export function DeliveryDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('jackets')
  const { language } = useSurroundings()
  const [supplier, setSupplier] = useState('')
  const [reference, setReference] = useState('')
  const [receivedOn, setReceivedOn] = useState<string | null>(() => universityCalendar().dayOf(new Date()))
  const [counts, setCounts] = useState<Partial<Record<ClothesSize, number | null>>>({})
  const sizes = clothesSizes.flatMap((size) => {
    const quantity = counts[size]
    return quantity === undefined || quantity === null ? [] : [{ size, quantity }]
  })
  const form = useForm({
    call: receiveJackets,
    body: { supplier, reference, receivedOn, sizes },
    done: ({ data }) => t('delivery.done', { count: data.received }),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('delivery.title')} form={form} submit={t('delivery.confirm')} onClose={onClose}>
      <TextInput
        label={t('delivery.supplier')}
        value={supplier}
        onChange={(event) => setSupplier(event.currentTarget.value)}
        data-autofocus
        {...form.field('supplier')}
      />
      <TextInput
        label={t('delivery.reference')}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
        {...form.field('reference')}
      />
      <DatePickerInput
        label={t('delivery.receivedOn')}
        locale={language}
        maxDate={universityCalendar().dayOf(new Date())}
        value={receivedOn}
        onChange={setReceivedOn}
        {...form.field('receivedOn')}
      />
      <Input.Wrapper
        label={t('delivery.sizes')}
        description={t('delivery.sizesHint')}
        withAsterisk
        labelElement="div"
        error={form.errors.sizes}
        data-field="sizes"
      >
        <SimpleGrid cols={{ base: 2, xs: 3 }} mt="xs">
          {clothesSizes.map((size) => (
            <NumberInput
              key={size}
              label={t('delivery.quantity', { size })}
              value={counts[size] ?? ''}
              onChange={(typed) => setCounts((before) => ({ ...before, [size]: countOf(typed) }))}
              error={form.errorOf(`sizes.${sizes.findIndex((row) => row.size === size)}`) ?? Boolean(form.errors.sizes)}
            />
          ))}
        </SimpleGrid>
      </Input.Wrapper>
    </DialogForm>
  )
}

/** Corrects a size's stock to the counted number. */
export function CountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('jackets')
  const [size, setSize] = useState<ClothesSize | null>(null)
  const [counted, setCounted] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const { data: stock } = useEndpoint(listJacketStock)
  /** The stock as reported by a refusal. */
  const [moved, setMoved] = useState<{ size: ClothesSize; onHand: number } | null>(null)
  const onHand = moved?.size === size ? moved?.onHand : stock?.data.find((row) => row.size === size)?.onHand
  const form = useForm({
    call: countJackets,
    body: { size, onHand, counted, reason },
    done: ({ data }) => t('count.done', { size, count: data.onHand }),
    onDone: onClose,
    onRefused: ({ code, data }) => {
      if (code === 'jacket_stock_moved' && size) setMoved({ size, onHand: Number(data?.onHand) })
    },
  })
  return (
    <DialogForm title={t('count.title')} form={form} submit={t('count.confirm')} onClose={onClose}>
      <Text size="sm">{t('count.text')}</Text>
      <Select
        label={t('count.size')}
        data={[...clothesSizes]}
        value={size}
        onChange={(value) => setSize(value as ClothesSize | null)}
        {...form.field('size')}
        {...(onHand !== undefined && { description: t('count.onHand', { count: onHand }) })}
      />
      <NumberInput
        label={t('count.counted')}
        value={counted ?? ''}
        onChange={(typed) => setCounted(countOf(typed))}
        {...form.field('counted')}
      />
      <ReasonInput
        label={t('count.reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}
