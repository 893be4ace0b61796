import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { hasSentence } from '#locales/translate.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { columnsFor, maskerOf } from './columns.ts'

const list = defineList({
  name: 'people',
  path: '/people',
  access: 'people-view',
  summary: 'People',
  words: { title: 'list:search' },
  row: z.object({ name: z.string(), phone: z.string(), income: z.number().nullable() }),
  columns: {
    name: {},
    phone: { masked: { as: 'phone', without: 'people-edit' } },
    income: { kind: 'money', right: 'income-view' },
  },
  order: 'name',
  orders: ['name'],
})
const row = { name: 'Sari', phone: '+6281234567890', income: 5_000_000 }
const holding = (...permissions: string[]) => ({ ...systemActor, permissions: new Set(permissions) })

test('without the right to a column, the column is not listed and its value is not sent', () => {
  expect(columnsFor(list, holding('people-edit')).map(([key]) => key)).toEqual(['name', 'phone'])
  expect(maskerOf(list, holding('people-edit'))(row)).toEqual({ ...row, income: null })
  expect(maskerOf(list, holding('people-edit', 'income-view'))(row)).toEqual(row)
})

test('a masked column is shortened for readers without its permission, except for their own rows', () => {
  expect(maskerOf(list, holding('income-view'))(row)).toEqual({ ...row, phone: '+62812****890' })
  expect(maskerOf(list, { ...holding('income-view'), scope: { kind: 'own' } })(row)).toEqual(row)
})

test('the title of every declared list, which its files print, exists in both languages', () => {
  const folder = path.resolve(import.meta.dirname, '../../../../packages/domain/src')
  const titles = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...fs.readFileSync(path.join(folder, file), 'utf8').matchAll(/words: \{ title: '([^']+)'/g)])
    .map(([, key]) => key!)
  expect(titles.length).toBeGreaterThan(20)
  expect(titles.filter((key) => !hasSentence(key, 'en') || !hasSentence(key, 'id'))).toEqual([])
})
