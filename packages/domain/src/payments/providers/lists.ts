import { defineList } from '#domain/list.ts'
import { providerRow } from './endpoints.ts'
import { providerKinds } from './provider-kinds.ts'

export const listProviders = defineList({
  name: 'providers',
  path: '/settings/providers',
  access: 'settings-providers-view',
  summary: 'Connections to banks and payment gateways',
  words: { title: 'staff-titles:settings-providers' },
  row: providerRow,
  columns: {
    name: { word: 'providers:name', sort: true },
    standing: { word: 'providers:standing', words: 'providers:standings' },
    kind: { word: 'providers:kind', words: 'providers:kinds' },
    banks: { word: 'providers:banks' },
    code: { word: 'providers:code', hidden: true },
    createdAt: { word: 'providers:created', kind: 'dateTime', sort: true, hidden: true },
  },
  filters: {
    kind: { values: providerKinds, word: 'providers:kind', words: 'providers:kinds' },
    active: { values: ['true', 'false'], word: 'providers:active', words: 'providers:activity', quick: true },
  },
  order: 'name',
})
