/** Answers by question key, and names of the chosen schools by school id. */
export type AnswerSheet = { answers: Record<string, unknown>; schoolNames: Record<string, string> }

export const emptySheet: AnswerSheet = { answers: {}, schoolNames: {} }

/** Returns the sheet with an answer added or replaced. Undefined removes the answer. */
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
