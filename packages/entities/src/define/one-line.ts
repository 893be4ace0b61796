/** Pattern of a text that is the subject of a mail: no control character and no separator of lines. */
export const oneLine = {
  source: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  label: { en: 'One line', id: 'Satu baris' },
} as const

export const oneLinePattern = new RegExp(oneLine.source)
