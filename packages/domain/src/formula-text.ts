/** The text in a formula by which people keep leading zeros in a spreadsheet, `="00123"`; any other text as it is. */
export const unwrapFormula = (text: string) =>
  text.startsWith('="')
    ? text.replace(/^="((?:[^"]|"")*)"$/, (_, content: string) => content.replaceAll('""', '"'))
    : text
