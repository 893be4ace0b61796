type Sentences = () => Promise<Record<string, Record<string, unknown>>>

/** Files of sentences beyond the entrance pages; loaded when first needed, since their names alone weigh 3 kB. */
export const sentenceFiles: Record<string, Sentences> = import.meta.glob([
  '../../../../packages/locales/src/*/*.ts',
  '!../../../../packages/locales/src/*/{common,titles,accounts,messages,survey-form}.ts',
])
