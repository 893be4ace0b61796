import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { effectFields, type StoredEffect } from '#domain/payments/approvals/approval-effect.ts'
import type { ApprovalKind } from '#domain/payments/approvals/approvals.ts'
import type { FieldChange } from '#domain/payments/approvals/field-changes.ts'
import type { HeldDecision, HeldReason } from '#domain/payments/approvals/held-money.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, longDate, percent } from '#locales/format.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Money } from '#web/ui/money.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { FieldChanges } from './field-changes.tsx'
import { useApprovalWords } from './words.ts'

type Field = keyof typeof effectFields
const fields = Object.keys(effectFields) as Field[]
/** Stand among the facts of the request already. */
const known: readonly Field[] = ['amount', 'bill']

const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

type Words = ReturnType<typeof useApprovalWords>['t']

function write(t: Words, kind: ApprovalKind, field: Field, value: unknown, language: Language): ReactNode {
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
      return (value as { dueAt: string; amount: number }[]).map(({ dueAt, amount }, at) => (
        <div key={`${dueAt} ${at}`}>
          {longDate(dueAt, language)}: <Money amount={amount} />
        </div>
      ))
    default:
      return String(value)
  }
}

type Props = { kind: ApprovalKind; stored: StoredEffect; current: StoredEffect | null; changed: boolean }

/** What approving does; where it has changed, as it was asked and as it is now. */
export function ApprovalEffect({ kind, stored, current, changed }: Props) {
  const { t } = useApprovalWords()
  const { language } = useSurroundings()
  const now = changed ? current : null
  const shown = fields.filter(
    (field) => (now || !known.includes(field)) && !(isEmpty(stored[field]) && isEmpty(now?.[field])),
  )
  if (shown.length === 0) return null
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        {t('approval.effect')}
      </Text>
      <Facts
        facts={shown.map((field) => [
          t(`effect.${field}`),
          now && !isSame(stored[field], now[field]) ? (
            <Stack gap={2} key={field}>
              <span>
                {t('approval.whenAsked')} {write(t, kind, field, stored[field], language)}
              </span>
              <strong>
                {t('approval.now')} {write(t, kind, field, now[field], language)}
              </strong>
            </Stack>
          ) : (
            write(t, kind, field, stored[field], language)
          ),
        ])}
      />
    </Stack>
  )
}
