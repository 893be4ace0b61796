import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field, FieldKind, FieldOf } from '#entities/define/field.ts'

import type { FieldValue, Titles } from '#entities/define/row.ts'
import { dateTime, longDate, percent, rupiah, wholeNumber } from '#locales/format.ts'
import { type Surroundings, useSurroundings } from '#web/ui/text/words.tsx'

type Shown = Surroundings & { value: Exclude<FieldValue, null>; title?: Titles[string] }

const none = '—'
const number = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })
const textOf = ({ value }: Shown) => String(value)
const titlesOf = ({ title }: Shown) => [title ?? none].flat().join(', ') || none

/** Cell for each kind of field; a kind without one does not compile. */
const cells: { [K in FieldKind]: (content: Shown, field: FieldOf<K>) => ReactNode } = {
  text: textOf,
  code: textOf,
  multiline: textOf,
  email: ({ value }) => <Anchor href={`mailto:${value}`}>{String(value)}</Anchor>,
  phone: textOf,
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
    (value as string[]).map((choice) => field.choices[choice]?.[language] ?? choice).join(', '),
  reference: titlesOf,
  multiReference: titlesOf,
  file: titlesOf,
}

type Props = { field: Field; value: FieldValue | undefined; title?: Titles[string] }

export function FieldCell({ field, value, title }: Props) {
  const surroundings = useSurroundings()
  if (value === null || value === undefined || value === '') return <span aria-hidden="true">{none}</span>
  const cell = cells[field.kind] as (content: Shown, field: Field) => ReactNode
  return cell({ ...surroundings, value, title }, field)
}
