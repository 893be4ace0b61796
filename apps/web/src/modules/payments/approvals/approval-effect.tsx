import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ApprovalKind } from '#domain/payments/approvals/approvals.ts'
import type { FieldChange } from '#domain/payments/approvals/compare-fields.ts'
import { effectFields, type StoredEffect } from '#domain/payments/approvals/effect-fields.ts'
import type { HeldDecision, HeldReason } from '#domain/payments/approvals/held-money.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, longDate, percent } from '#locales/format.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { FieldChanges } from './field-changes.tsx'
import { useApprovalWords } from './words.ts'

type Field = keyof typeof effectFields
const fields = Object.keys(effectFields) as Field[]
/** Fields already shown among the request's facts. */
const knownFields: readonly Field[] = ['amount', 'bill']

const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

type Words = ReturnType<typeof useApprovalWords>['t']

function renderValue(t: Words, kind: ApprovalKind, field: Field, value: unknown, language: Language): ReactNode {
  if (isEmpty(value)) return '—'
  switch (effectFields[field]) {
    case 'rupiah':
      return <Money amount={value as number} />
    case 'percent':
      return percent((value as number) / 100)
    case 'changes':
      return <FieldChanges kind={kind} changes={value as FieldChange[]} />
    case 'hold':
      return t(`bills:waitingReason.${value as HeldReason}`)
    case 'decision':
      return t(`money:held.decisions.${value as HeldDecision}`)
    case 'day':
      return longDate(value as string, language)
    case 'moment':
      return dateTime(value as string, language)
    case 'sums':
      return (value as { name: string; amount: number }[]).map(({ name, amount }) => (
        <div key={name}>
          {name}: <Money amount={amount} />
        </div>
      ))
    case 'parts':
      return (value as { dueAt: string; amount: number }[]).map(({ dueAt, amount }, index) => (
        <div key={`${dueAt} ${index}`}>
          {longDate(dueAt, language)}: <Money amount={amount} />
        </div>
      ))
    default:
      return String(value)
  }
}

type Props = { kind: ApprovalKind; stored: StoredEffect; current: StoredEffect | null; changed: boolean }

/** Effect of approving; if it has changed since the request, both the stored and the current effect. */
export function ApprovalEffect({ kind, stored, current, changed }: Props) {
  const { t } = useApprovalWords()
  const { language } = useSurroundings()
  const newEffect = changed ? current : null
  const visibleFields = fields.filter(
    (field) => (newEffect || !knownFields.includes(field)) && !(isEmpty(stored[field]) && isEmpty(newEffect?.[field])),
  )
  if (visibleFields.length === 0) return null
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        {t('approval.effect')}
      </Text>
      <Facts
        facts={visibleFields.map((field) => [
          t(`effect.${field}`),
          newEffect && !isSame(stored[field], newEffect[field]) ? (
            <Stack gap={2} key={field}>
              <span>
                {t('approval.whenAsked')} {renderValue(t, kind, field, stored[field], language)}
              </span>
              <strong>
                {t('approval.now')} {renderValue(t, kind, field, newEffect[field], language)}
              </strong>
            </Stack>
          ) : (
            renderValue(t, kind, field, stored[field], language)
          ),
        ])}
      />
    </Stack>
  )
}
