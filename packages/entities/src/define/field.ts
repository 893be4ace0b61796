import type { Localized } from './language.ts'
/** Text in both interface languages. A missing translation is a compile error. */
export type Choices = Record<string, Localized>

/** Regular expression a text must match; `label` explains it to the user. */
export type Pattern = { source: string; label: Localized }

type Common = {
  label: Localized
  help?: Localized
  /** May be left empty; stored as NULL. */
  optional?: true
  /** Shown as a list column by default. */
  list?: true
  /** Offered as a filter above the list. */
  filter?: true
  /** No two rows may share the value; case is ignored. */
  unique?: true
  /** Heading in the form above the field. */
  section?: Localized
  /** Shown in full only to users who may edit the row. */
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

/** Joining table between a row and the rows it refers to. */
export type Through = { table: string; from: string; to: string }

export type FieldKind = Field['kind']
export type FieldOf<K extends FieldKind> = Extract<Field, { kind: K }>

type Options<K extends FieldKind> = Omit<FieldOf<K>, 'kind'>

const defineField =
  <K extends FieldKind>(kind: K) =>
  (options: Options<K>) =>
    ({ kind, ...options }) as unknown as FieldOf<K>

export const text = defineField('text')
/** Short key that people type and read aloud: searched by prefix, unique by default. */
export const code = (options: Options<'code'>) => defineField('code')({ unique: true, list: true, ...options })
export const multiline = defineField('multiline')
export const email = defineField('email')
export const phone = defineField('phone')
export const integer = defineField('integer')
export const decimal = defineField('decimal')
/** A share in hundredths of a percent: 10,000 is 100 %. */
export const basisPoints = defineField('basisPoints')
/** Whole rupiah. */
export const money = defineField('money')
export const moneyList = defineField('moneyList')
export const date = defineField('date')
export const dateTime = defineField('dateTime')
export const time = defineField('time')
export const boolean = defineField('boolean')
export const choice = defineField('choice')
export const multiChoice = defineField('multiChoice')
/** Reference to a row of another entity; `within` names the field of this row that narrows the choices. */
export const reference = defineField('reference')
export const multiReference = defineField('multiReference')
export const file = defineField('file')
