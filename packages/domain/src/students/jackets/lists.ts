import { z } from 'zod'
import { clothesSizes } from '#domain/applicants/profile.ts'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { jacketStates, movementKinds, orderMargins } from './jackets.ts'

const size = z.enum(clothesSizes)
const sizeNames = Object.fromEntries(clothesSizes.map((name) => [name, { en: name, id: name }]))

const jacketRow = z.object({
  /** Id of the registration. */
  id: z.uuid(),
  name: z.string(),
  code: z.string(),
  npm: z.string().nullable(),
  programme: z.string().nullable(),
  wave: z.string(),
  /** Size in the profile. */
  wanted: size.nullable(),
  /** Size of the jacket the student holds. */
  held: size.nullable(),
  handedAt: time.nullable(),
  state: z.enum(jacketStates),
})

export const listJackets = defineList({
  name: 'jaket-mahasiswa',
  path: '/jaket-mahasiswa',
  access: 'jaket-mahasiswa-view',
  summary: 'Confirmed applicants and students with their jackets, newest first',
  words: { title: 'staff-titles:jaket-mahasiswa', columns: 'jackets:column', filters: 'jackets:column' },
  row: jacketRow,
  columns: {
    name: {},
    npm: {},
    state: { words: 'jackets:state' },
    wanted: {},
    held: {},
    handedAt: { kind: 'dateTime' },
    programme: {},
    code: { hidden: true },
    wave: { hidden: true },
  },
  filters: {
    state: { values: jacketStates, words: 'jackets:state', quick: true },
    size: { values: clothesSizes, words: sizeNames },
    waveId: { of: 'periode', word: 'jackets:column.wave' },
    programmeId: { of: 'prodi', word: 'jackets:column.programme' },
  },
  orders: ['createdAt'],
  order: '-createdAt',
  ignoresShortSearch: true,
})

const stockRow = z.object({
  size,
  /** Confirmed applicants and students with this size and no jacket. */
  waiting: z.int(),
  /** `waiting` as a fraction of the size with the most waiting students. */
  share: z.number(),
  onHand: z.int(),
  handedOut: z.int(),
  /** Waiting students without an available jacket. */
  short: z.int(),
  /** Jackets to order for the waiting students, plus the margin. */
  toOrder: z.int(),
})

export const listJacketStock = defineList({
  name: 'jaket-mahasiswa-stock',
  path: '/jaket-mahasiswa/stock',
  access: 'jaket-mahasiswa-view',
  summary: 'Sizes needed, in stock, handed out and to order, for the whole university',
  words: { title: 'jackets:stock.title', columns: 'jackets:column', filters: 'jackets:column' },
  row: stockRow,
  columns: {
    size: {},
    waiting: { kind: 'number' },
    onHand: { kind: 'number' },
    short: { kind: 'number' },
    handedOut: { kind: 'number' },
    toOrder: { kind: 'number' },
  },
  filters: {
    margin: {
      values: orderMargins,
      words: Object.fromEntries(orderMargins.map((margin) => [margin, { en: `${margin} %`, id: `${margin}%` }])),
    },
  },
  orders: ['position'],
  order: 'position',
  sums: ['waiting', 'onHand', 'handedOut'],
  unsearchable: true,
})

const movementRow = z.object({
  id: z.string(),
  at: time,
  kind: z.enum(movementKinds),
  size,
  /** Jackets received; negative if handed out. */
  quantity: z.int(),
  note: z.string().nullable(),
  by: z.string().nullable(),
})

export const listJacketMovements = defineList({
  name: 'jaket-mahasiswa-movements',
  path: '/jaket-mahasiswa/movements',
  access: 'jaket-mahasiswa-view',
  summary: 'Every movement of the stock of jackets, newest first, without names of students',
  words: { title: 'jackets:movements.title', columns: 'jackets:column', filters: 'jackets:column' },
  row: movementRow,
  columns: {
    at: { kind: 'dateTime' },
    kind: { words: 'jackets:movement' },
    size: {},
    quantity: { kind: 'number' },
    note: {},
    by: {},
  },
  filters: {
    kind: { values: movementKinds, words: 'jackets:movement', quick: true },
    size: { values: clothesSizes, words: sizeNames },
  },
  orders: ['id'],
  order: '-id',
  unsearchable: true,
})
