/** Answers by question key, and the names of the schools chosen in them by id. */
export type AnswerSheet = { answers: Record<string, unknown>; schoolNames: Record<string, string> }

export const emptySheet: AnswerSheet = { answers: {}, schoolNames: {} }

/** The sheet with an answer added, replaced or, for undefined, removed. */
export function withAnswer<Sheet extends AnswerSheet>(
  sheet: Sheet,
  question: string,
  answer: unknown,
  schoolName?: string,
): Sheet {
  const { [question]: _, ...others } = sheet.answers
  const { id } = (answer ?? {}) as { id?: string }
  return {
    ...sheet,
    answers: answer === undefined ? others : { ...others, [question]: answer },
    schoolNames: id && schoolName ? { ...sheet.schoolNames, [id]: schoolName } : sheet.schoolNames,
  }
}
