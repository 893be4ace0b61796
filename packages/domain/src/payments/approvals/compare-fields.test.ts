import { expect, test } from 'vitest'
import { fieldChanges } from './compare-fields.ts'

test('only differences are changes, and new fields have nothing before', () => {
  expect(
    fieldChanges(
      { name: 'A', number: '1', active: true, sources: ['x', 'y'], gone: 'z', empty: '' },
      { name: 'B', number: '1', active: false, sources: ['y', 'x'], fresh: 3, empty: null },
    ),
  ).toEqual([
    { field: 'name', before: 'A', after: 'B' },
    { field: 'active', before: true, after: false },
    { field: 'fresh', before: null, after: 3 },
    { field: 'gone', before: 'z', after: null },
  ])
})
