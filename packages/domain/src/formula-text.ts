/** Text inside a formula people use to keep leading zeros in a spreadsheet, `="00123"`; any other text unchanged. */
export const unwrapFormula = (text: string) =>
  text.startsWith('="')
    ? text.replace(/^="((?:[^"]|"")*)"$/, (_, content: string) => content.replaceAll('""', '"'))
    : text
