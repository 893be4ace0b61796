/** Text in both interface languages. A missing translation is a compile error. */
export type Localized = { en: string; id: string }
export type Choices = Record<string, Localized>

/** A literal for `text` that many entities need checked the same way. */
export type Pattern = { source: string; label: Localized }

type Common = {
  label: Localized
  help?: Localized
  /** May be left empty; stored as NULL. */
  optional?: true
  /** Shown as a column of the list until the reader chooses columns. */
  list?: true
  /** Offered as a filter above the list. */
  filter?: true
  /** No two rows may share it, whatever the case of its letters. */
  unique?: true
  /** Heading of the form under which the field stands. */
  section?: Localized
  /** Shown in full only to those who may edit the row. */
  sensitive?: true
}

export type Field = Common &
  (
    | { kind: 'text'; max: number; searchable?: boolean; pattern?: Pattern }
    | { kind: 'code'; max: number; pattern?: Pattern }
    | { kind: 'multiline'; max: number }
    | { kind: 'email' }
    | { kind: 'phone' }
    | { kind: 'integer'; min?: number; max?: number; default?: number }
    | { kind: 'decimal'; min?: number; max?: number; default?: number; percent?: true }
    | { kind: 'basisPoints' }
    | { kind: 'money'; min?: number }
    | { kind: 'moneyList' }
    | { kind: 'date' }
    | { kind: 'dateTime' }
    | { kind: 'time' }
    | { kind: 'boolean'; default?: boolean }
    | { kind: 'choice'; choices: Choices; default?: string }
    | { kind: 'multiChoice'; choices: Choices; default?: readonly string[] }
    | { kind: 'reference'; to: string; within?: string }
    | { kind: 'multiReference'; to: string; through: Through }
    | { kind: 'file'; accept: 'image' | 'document'; maxMb: number }
  )

/** Table that joins the row with the many rows it points to. */
export type Through = { table: string; from: string; to: string }

export type FieldKind = Field['kind']
export type FieldOf<K extends FieldKind> = Extract<Field, { kind: K }>

type Options<K extends FieldKind> = Omit<FieldOf<K>, 'kind'>

const of =
  <K extends FieldKind>(kind: K) =>
  (options: Options<K>) =>
    ({ kind, ...options }) as unknown as FieldOf<K>

export const text = of('text')
/** Short key people type and read aloud: searched by its beginning, unique by default. */
export const code = (options: Options<'code'>) => of('code')({ unique: true, list: true, ...options })
export const multiline = of('multiline')
export const email = of('email')
export const phone = of('phone')
export const integer = of('integer')
export const decimal = of('decimal')
/** A share of the whole in hundredths of a percent: 10,000 is all of it. */
export const basisPoints = of('basisPoints')
/** Whole rupiah. Never a float, never a formatted string. */
export const money = of('money')
export const moneyList = of('moneyList')
export const date = of('date')
export const dateTime = of('dateTime')
export const time = of('time')
export const boolean = of('boolean')
export const choice = of('choice')
export const multiChoice = of('multiChoice')
/** Points to a row of another entity; `within` names the field of this row that narrows the choice. */
export const reference = of('reference')
export const multiReference = of('multiReference')
export const file = of('file')
