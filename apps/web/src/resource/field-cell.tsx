import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field, FieldKind, FieldOf } from '#entities/define/field.ts'

import type { FieldValue, Titles } from '#entities/define/row.ts'
import { dateTime, longDate, percent, rupiah, wholeNumber } from '#locales/format.ts'
import { type Surroundings, useSurroundings } from '#web/ui/words.tsx'

type Shown = Surroundings & { value: Exclude<FieldValue, null>; title?: Titles[string] }

const none = '—'
const number = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })
const words = ({ value }: Shown) => String(value)
const named = ({ title }: Shown) => [title ?? none].flat().join(', ') || none

/** How a value of each kind reads. A new kind does not compile until it is told here. */
const cells: { [K in FieldKind]: (shown: Shown, field: FieldOf<K>) => ReactNode } = {
  text: words,
  code: words,
  multiline: words,
  email: ({ value }) => <Anchor href={`mailto:${value}`}>{String(value)}</Anchor>,
  phone: words,
  integer: ({ value }) => wholeNumber(Number(value)),
  decimal: ({ value }) => number.format(Number(value)),
  basisPoints: ({ value }) => percent(Number(value) / 10_000),
  money: ({ value }) => <span style={{ whiteSpace: 'nowrap' }}>{rupiah(Number(value))}</span>,
  moneyList: ({ value }) => (value as number[]).map(rupiah).join(', '),
  date: ({ value, language }) => longDate(String(value), language),
  dateTime: ({ value, language }) => dateTime(String(value), language),
  time: ({ value }) => String(value).replace(':', '.'),
  boolean: ({ value, say }) => say(value ? 'yes' : 'no'),
  choice: ({ value, language }, field) => field.choices[String(value)]?.[language] ?? String(value),
  multiChoice: ({ value, language }, field) =>
    (value as string[]).map((one) => field.choices[one]?.[language] ?? one).join(', '),
  reference: named,
  multiReference: named,
  file: named,
}

type Props = { field: Field; value: FieldValue | undefined; title?: Titles[string] }

export function FieldCell({ field, value, title }: Props) {
  const surroundings = useSurroundings()
  if (value === null || value === undefined || value === '') return <span aria-hidden="true">{none}</span>
  const cell = cells[field.kind] as (shown: Shown, field: Field) => ReactNode
  return cell({ ...surroundings, value, title }, field)
}
