/** Files of all namespaces. Their two hundred names are a script of its own, so that the sign-in page goes without them. */
export const furtherFiles = import.meta.glob<Record<string, Record<string, unknown>>>([
  '../../../../packages/locales/src/*/*.ts',
  '!../../../../packages/locales/src/*/messages.ts',
  '!../../../../packages/locales/src/*/survey-form.ts',
])
