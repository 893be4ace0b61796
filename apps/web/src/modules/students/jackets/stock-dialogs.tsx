import { Input, NumberInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ClothesSize, clothesSizes } from '#domain/applicants/profile.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { countJackets, receiveJackets } from '#domain/students/jackets/endpoints.ts'
import { listJacketStock } from '#domain/students/jackets/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Counts = Record<ClothesSize, number | null>

const noCounts = Object.fromEntries(clothesSizes.map((size) => [size, null])) as Counts

const sizesOf = (counts: Counts) =>
  clothesSizes.flatMap((size) => {
    const quantity = counts[size]
    return quantity === null ? [] : [{ size, quantity }]
  })

/** Adds a delivery of several sizes to the stock. */
export function DeliveryDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('jackets')
  const { language } = useSurroundings()
  const today = universityCalendar().dayOf(new Date())
  const form = useForm({
    call: receiveJackets,
    start: { supplier: '', reference: '', receivedOn: today as string | null, counts: noCounts },
    body: ({ counts, ...delivery }) => ({ ...delivery, sizes: sizesOf(counts) }),
    done: ({ data }) => t('delivery.done', { count: data.received }),
    onDone: onClose,
  })
  const sizes = sizesOf(form.values.counts)
  const counts = bindingsOf(
    form.values.counts,
    (change) => form.set({ counts: { ...form.values.counts, ...change } }),
    (size) => ({
      error: form.errorOf(`sizes.${sizes.findIndex((row) => row.size === size)}`) ?? Boolean(form.errors.sizes),
    }),
  )
  return (
    <DialogForm title={t('delivery.title')} form={form} submit={t('delivery.confirm')} onClose={onClose}>
      <TextInput label={t('delivery.supplier')} data-autofocus {...form.text('supplier')} />
      <TextInput label={t('delivery.reference')} {...form.text('reference')} />
      <DatePickerInput
        label={t('delivery.receivedOn')}
        locale={language}
        maxDate={today}
        {...form.value('receivedOn')}
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
            <NumberInput key={size} label={t('delivery.quantity', { size })} {...counts.number(size)} />
          ))}
        </SimpleGrid>
      </Input.Wrapper>
    </DialogForm>
  )
}

/** Corrects a size's stock to the counted number. */
export function CountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('jackets')
  const { data: stock } = useEndpoint(listJacketStock)
  /** The stock as reported by a refusal. */
  const [moved, setMoved] = useState<{ size: ClothesSize; onHand: number } | null>(null)
  const onHandOf = (size: ClothesSize | null) =>
    moved?.size === size ? moved?.onHand : stock?.data.find((row) => row.size === size)?.onHand
  const form = useForm({
    call: countJackets,
    start: { size: null as ClothesSize | null, counted: null as number | null, reason: '' },
    body: (values) => ({ ...values, onHand: onHandOf(values.size) }),
    done: ({ data }, { size }) => t('count.done', { size, count: data.onHand }),
    onDone: onClose,
    onRefused: ({ code, data }) => {
      if (code === 'jacket_stock_moved' && form.values.size)
        setMoved({ size: form.values.size, onHand: Number(data?.onHand) })
    },
  })
  const onHand = onHandOf(form.values.size)
  return (
    <DialogForm title={t('count.title')} form={form} submit={t('count.confirm')} onClose={onClose}>
      <Text size="sm">{t('count.text')}</Text>
      <Select
        label={t('count.size')}
        data={[...clothesSizes]}
        {...form.value('size')}
        {...(onHand !== undefined && { description: t('count.onHand', { count: onHand }) })}
      />
      <NumberInput label={t('count.counted')} {...form.number('counted')} />
      <ReasonInput label={t('count.reason')} {...form.text('reason')} />
    </DialogForm>
  )
}
