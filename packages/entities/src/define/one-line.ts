/** Pattern for mail subjects: no control characters and no line separators. */
export const oneLine = {
  source: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  label: { en: 'One line', id: 'Satu baris' },
} as const

export const oneLinePattern = new RegExp(oneLine.source)
