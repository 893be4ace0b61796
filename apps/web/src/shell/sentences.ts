/** Sentence files besides the entrance pages'. Loaded when first needed, since their names alone are 3 kB. */
export const sentenceFiles = import.meta.glob<Record<string, Record<string, unknown>>>([
  '../../../../packages/locales/src/*/*.ts',
  '!../../../../packages/locales/src/*/{common,titles,accounts,messages,prospectus,survey-form}.ts',
])
