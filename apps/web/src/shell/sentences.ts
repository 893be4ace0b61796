/** Files of sentences beyond the entrance pages; loaded when first needed, since their names alone weigh 3 kB. */
export const sentenceFiles = import.meta.glob<Record<string, Record<string, unknown>>>([
  '../../../../packages/locales/src/*/*.ts',
  '!../../../../packages/locales/src/*/{common,titles,accounts,messages,survey-form}.ts',
])
